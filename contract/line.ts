import { z } from "zod";

/** A text of one line that somebody has written, of at most so many characters. */
export const line = (longest: number) =>
  z.string().trim().min(1, "Required").max(longest, `At most ${longest} characters`);

/** One that stands in a header of a mail. */
export const headerLine = (longest: number) => line(longest).regex(/^[^\p{Cc}\u2028\u2029]*$/u, "One line");
