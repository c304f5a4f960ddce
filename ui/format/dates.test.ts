import { expect, test } from "vitest";
import { formatDay, formatPeriod, formatShortDay, formatTimestamp } from "./dates.ts";

const noon = "2026-11-21T12:00:00.000Z";

test("days have a long and a short form", () => {
  expect(formatDay(noon)).toBe("November 21, 2026");
  expect(formatShortDay(noon)).toBe("Nov 21, 2026");
  expect(formatTimestamp(noon)).toMatch(/^Nov 21, 2026, \d+:\d\d\s[AP]M$/);
});

test("a period is named by its first day in UTC", () => {
  expect(formatPeriod("2026-11-16", "day")).toBe("Nov 16, 2026");
  expect(formatPeriod("2026-11-16", "week")).toBe("Week of Nov 16, 2026");
  expect(formatPeriod("2026-11-01", "month")).toBe("November 2026");
});
