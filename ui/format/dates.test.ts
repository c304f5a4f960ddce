import { expect, test } from "vitest";
import { formatDay, formatOpening, formatPeriod, formatShortDay, formatTimestamp } from "./dates.ts";

const noon = "2026-11-21T12:00:00.000Z";

test("days have a long and a short form", () => {
  expect(formatDay(noon)).toBe("November 21, 2026");
  expect(formatShortDay(noon)).toBe("Nov 21, 2026");
  expect(formatTimestamp(noon)).toMatch(/^Nov 21, 2026, \d+:\d\d\s[AP]M$/);
});

test("an opening is a day in the reader's zone, with the year unless it is this one", () => {
  const year = new Date().getFullYear();
  const midnight = (year: number) => `${year}-07-01T00:30:00Z`;
  expect(formatOpening(midnight(year), "UTC")).toBe("Opens July 1");
  expect(formatOpening(midnight(year), "America/Denver")).toBe("Opens June 30");
  expect(formatOpening(midnight(year + 1), "UTC")).toBe(`Opens July 1, ${year + 1}`);
});

test("a period is named by its first day in UTC", () => {
  expect(formatPeriod("2026-11-16", "day")).toBe("Nov 16, 2026");
  expect(formatPeriod("2026-11-16", "week")).toBe("Week of Nov 16, 2026");
  expect(formatPeriod("2026-11-01", "month")).toBe("November 2026");
});
