import { expect, test } from "vitest";
import type { Period } from "#contract/admin/statistics.ts";
import { beside, dayAt, presetsOn, queryBefore } from "./periods.ts";

test("presets begin with the academy's day, across the turn of a year", () => {
  const presets = presetsOn(dayAt(new Date("2027-01-02T23:30:00Z"), "Europe/Berlin"));
  expect(presets.map(({ label, from, to }) => [label, from, to])).toEqual([
    ["Today", "2027-01-03", "2027-01-03"],
    ["Last 7 days", "2026-12-28", "2027-01-03"],
    ["This month", "2027-01-01", "2027-01-03"],
    ["Last month", "2026-12-01", "2026-12-31"],
    ["This year", "2027-01-01", "2027-01-03"],
    ["Last year", "2026-01-01", "2026-12-31"],
  ]);
});

function before(today: string, by: Period, from: string, to: string): string {
  const { query } = queryBefore({ by, from, to }, today);
  return `${query.from} to ${query.to} by ${query.by}`;
}

test("the period before has as many days, or as many months up to the same day", () => {
  const days = (from: string, to: string, today = to) => before(today, "day", from, to).replace(" by day", "");
  expect(days("2026-11-29", "2026-11-29")).toBe("2026-11-28 to 2026-11-28");
  expect(days("2026-11-23", "2026-11-29")).toBe("2026-11-16 to 2026-11-22");
  expect(days("2026-11-01", "2026-11-29")).toBe("2026-10-01 to 2026-10-29");
  expect(days("2026-11-01", "2026-11-30", "2026-11-15")).toBe("2026-10-01 to 2026-10-15");
  expect(days("2027-03-01", "2027-03-30")).toBe("2027-02-01 to 2027-02-28");
  expect(days("2027-02-01", "2027-02-28", "2027-06-10")).toBe("2027-01-01 to 2027-01-31");
  expect(days("2027-01-01", "2027-12-31", "2028-06-10")).toBe("2026-01-01 to 2026-12-31");
  expect(days("2026-01-01", "2026-11-29")).toBe("2025-02-01 to 2025-12-29");
});

test("today, a week and other days that begin on a 1st are compared with as many days", () => {
  expect(before("2026-12-01", "day", "2026-12-01", "2026-12-01")).toBe("2026-11-30 to 2026-11-30 by day");
  expect(before("2026-12-07", "day", "2026-12-01", "2026-12-07")).toBe("2026-11-24 to 2026-11-30 by day");
  expect(before("2026-12-20", "day", "2026-12-01", "2026-12-10")).toBe("2026-11-21 to 2026-11-30 by day");
  expect(before("2027-03-20", "week", "2027-02-01", "2027-02-28")).toBe("2027-01-04 to 2027-01-31 by week");
});

test("a week, year or months in progress are compared up to the same day", () => {
  expect(before("2026-11-25", "week", "2026-09-07", "2026-11-29")).toBe("2026-06-15 to 2026-09-02 by day");
  expect(before("2026-11-10", "month", "2026-01-01", "2026-11-30")).toBe("2025-02-01 to 2025-12-10 by day");
  expect(before("2026-11-10", "month", "2025-12-01", "2026-11-30")).toBe("2024-12-01 to 2025-11-10 by day");
  expect(before("2026-11-30", "month", "2025-12-01", "2026-11-30")).toBe("2024-12-01 to 2025-11-30 by month");
  expect(before("2026-11-10", "month", "2024-01-01", "2026-11-30")).toBe("2021-02-01 to 2023-12-10 by month");
});

test("a figure of the period before is a dash when it could not be loaded", () => {
  expect(beside({ data: undefined, isError: false }, String)).toBe("…");
  expect(beside({ data: undefined, isError: true }, String)).toBe("– in the period before");
  expect(beside({ data: 7, isError: false }, String)).toBe("7 in the period before");
});
