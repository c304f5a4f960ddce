import { z } from "zod";

// The page's content security policy forbids eval, which zod would try with its first schema. Import this before any
// schema.
z.config({ jitless: true });
