import { z } from "zod";

/** A text of one line that somebody has written, of at most so many characters. */
export const line = (longest: number) =>
  z.string().trim().min(1, "Required").max(longest, `At most ${longest} characters`);
