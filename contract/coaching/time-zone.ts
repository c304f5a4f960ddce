import { z } from "zod";
import { isTimeZone } from "./times.ts";

export const TimeZone = z
  .string()
  .max(64, "Choose a time zone")
  .refine(isTimeZone, "Choose a time zone")
  .describe("An IANA time zone, such as Europe/Berlin");
