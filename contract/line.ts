import { z } from "zod";

/** A single line of typed text, with a maximum length in characters. */
export const line = (maxLength: number) =>
  z.string().trim().min(1, "Required").max(maxLength, `Use ${maxLength} characters or fewer`);

/** Without line breaks, control characters and bidirectional overrides. */
export const plainLine = /^[^\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u;
export const notPlain = "Leave out special characters";

const visible = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** A line for the header of an email. */
export const headerLine = (maxLength: number) =>
  line(maxLength)
    .regex(plainLine, "Use a single line")
    .refine((text) => text === "" || visible.test(text), "Required");
