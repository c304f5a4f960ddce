import { z } from "zod";
import { setFormMessages } from "#contract/validation-messages.ts";

// The pages' content security policy forbids eval, which zod would try with its first schema. The build has the
// contract's schemas import zod from here.
z.config({ jitless: true });
setFormMessages();

export { z };
