import { expect, onTestFinished, test, vi } from "vitest";
import { fromLocal, toLocal, toLocalDay } from "./local-time.ts";

test("date and time fields use the browser's time zone", () => {
  vi.stubEnv("TZ", "America/Los_Angeles");
  onTestFinished(() => void vi.unstubAllEnvs());
  const evening = "2026-11-24T04:30:00.000Z";
  expect(toLocal(evening)).toBe("2026-11-23T20:30");
  expect(fromLocal(toLocal(evening))).toBe(evening);
  expect(toLocalDay(new Date(evening))).toBe("2026-11-23");
  expect(fromLocal("")).toBeNull();
});

test("a year that is still being typed leaves the minutes alone in zones whose offset had seconds then", () => {
  vi.stubEnv("TZ", "Europe/Amsterdam");
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const typed of ["0002-03-04T10:30", "0202-03-04T10:30", "1899-03-04T10:30", "2026-03-04T10:30"]) {
    expect(toLocal(fromLocal(typed) ?? "")).toBe(typed);
  }
});
