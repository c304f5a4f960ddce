import { z } from "zod";

// The page's policy forbids code made from strings, which the schema library would otherwise try with its first schema:
// import this before any schema.
z.config({ jitless: true });
