import { expect, test } from "vitest";
import { codeOf } from "#test/code-of.ts";
import { periodsOf, spanOf } from "./periods.ts";

const now = new Date("2028-02-29T23:59:59Z");

test("without dates it is the last 30 days, 12 weeks or 12 months, including today", () => {
  const days = periodsOf({ by: "day" }, now, "UTC");
  expect([days.starts.length, days.starts[0], days.starts.at(-1)]).toEqual([30, "2028-01-31", "2028-02-29"]);
  expect(days.end).toEqual(new Date("2028-03-01T00:00:00Z"));
  const weeks = periodsOf({ by: "week" }, now, "UTC");
  expect([weeks.starts.length, weeks.starts.at(-1)]).toEqual([12, "2028-02-28"]);
  const months = periodsOf({ by: "month" }, now, "UTC");
  expect([months.starts.length, months.starts[0], months.endDay]).toEqual([12, "2027-03-01", "2028-03-01"]);
});

test("a week begins on Monday, a Sunday belongs to the week before", () => {
  expect(periodsOf({ by: "week", from: "2026-11-22", to: "2026-11-22" }, now, "UTC").starts).toEqual(["2026-11-16"]);
  expect(periodsOf({ by: "week", from: "2026-11-23", to: "2026-11-23" }, now, "UTC").starts).toEqual(["2026-11-23"]);
});

test("there are no gaps, over a change of year and a leap day", () => {
  expect(periodsOf({ by: "month", from: "2027-12-31", to: "2028-02-01" }, now, "UTC").starts).toEqual([
    "2027-12-01",
    "2028-01-01",
    "2028-02-01",
  ]);
  expect(periodsOf({ by: "day", from: "2028-02-28", to: "2028-03-01" }, now, "UTC").starts).toHaveLength(3);
});

test("dates the wrong way round and too many periods are refused", () => {
  const code = (from: string, to: string) => codeOf(() => periodsOf({ by: "day", from, to }, now, "UTC").starts.length);
  expect(code("2026-01-02", "2026-01-01")).toBe("invalid-input");
  expect(code("2026-01-01", "2027-02-04")).toBe(400);
  expect(code("2026-01-01", "2027-02-05")).toBe("invalid-input");
});

test("days begin at the academy's midnight, also where the clock changes", () => {
  const days = periodsOf({ by: "day", from: "2027-03-13", to: "2027-03-14" }, now, "America/New_York");
  expect(days.begin).toEqual([new Date("2027-03-13T05:00:00Z"), new Date("2027-03-14T05:00:00Z")]);
  expect(days.end).toEqual(new Date("2027-03-15T04:00:00Z"));
  expect(spanOf(days)).toEqual({ by: "day", from: "2027-03-13", to: "2027-03-14" });
  expect(periodsOf({ by: "day" }, now, "Pacific/Kiritimati").endDay).toBe("2028-03-02");
});
