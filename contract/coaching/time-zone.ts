import { z } from "zod";

/** Whether the engine knows the IANA name. An offset such as +05:00 is none. @internal */
export function isTimeZone(name: string): boolean {
  if (name.length > 64 || !/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export const TimeZone = z
  .string()
  .max(64, "Not a time zone")
  .refine(isTimeZone, "Not a time zone")
  .describe("An IANA time zone, such as Europe/Berlin");
