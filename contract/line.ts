import { z } from "zod";

/** A text of one line that somebody has written, of at most so many characters. */
export const line = (maxLength: number) =>
  z.string().trim().min(1, "Required").max(maxLength, `At most ${maxLength} characters`);

/** Without line breaks and other control characters, and without those that turn around what stands beside them. */
export const plainLine = /^[^\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u;
export const notPlain = "Leave out special characters";

/** One that stands in a header of a mail. */
export const headerLine = (maxLength: number) => line(maxLength).regex(plainLine, "One line");
