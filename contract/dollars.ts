import { z } from "zod";
import { formatDollars } from "./money.ts";

const most = 99_999;

/** US dollars with whole cents, which a form refuses below `least` and above $99,999.00 in these words. */
export function dollars(least: number) {
  return z
    .number()
    .min(least, `Enter at least ${formatDollars(least)}`)
    .max(most, `Enter ${formatDollars(most)} or less`)
    .multipleOf(0.01, "Enter an amount such as 49 or 49.50");
}
