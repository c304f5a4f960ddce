import { expect, test } from "vitest";
import { dayAt, presetsOn, queryBefore } from "./periods.ts";

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

test("the period before has as many days, or as many months up to the same day", () => {
  const before = (from: string, to: string) => {
    const { query } = queryBefore({ by: "day", from, to });
    return `${query.from} to ${query.to}`;
  };
  expect(before("2026-11-29", "2026-11-29")).toBe("2026-11-28 to 2026-11-28");
  expect(before("2026-11-23", "2026-11-29")).toBe("2026-11-16 to 2026-11-22");
  expect(before("2026-11-01", "2026-11-29")).toBe("2026-10-01 to 2026-10-29");
  expect(before("2027-03-01", "2027-03-30")).toBe("2027-02-01 to 2027-02-28");
  expect(before("2027-02-01", "2027-02-28")).toBe("2027-01-01 to 2027-01-31");
  expect(before("2027-01-01", "2027-12-31")).toBe("2026-01-01 to 2026-12-31");
  expect(before("2026-01-01", "2026-11-29")).toBe("2025-02-01 to 2025-12-29");
});
