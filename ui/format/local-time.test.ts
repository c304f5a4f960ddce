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
