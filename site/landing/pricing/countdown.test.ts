import { expect, test } from "vitest";
import { formatCountdown, secondsLeft } from "./countdown.ts";

const daily = { kind: "daily", startSeconds: 86_387 } as const;
const second = 1000;

test("the daily countdown starts at 23:59:47", () => {
  expect(formatCountdown(secondsLeft(daily, 0, 0))).toBe("23:59:47");
  expect(formatCountdown(secondsLeft(daily, 0, 48 * second))).toBe("23:58:59");
});

test("the daily countdown restarts after zero", () => {
  expect(formatCountdown(secondsLeft(daily, 0, 86_387 * second))).toBe("00:00:00");
  expect(formatCountdown(secondsLeft(daily, 0, 86_388 * second))).toBe("23:59:47");
});

test("a countdown to a real end shows the remaining time and stays at zero", () => {
  const until = { kind: "until", endsAt: "2026-12-01T00:00:00Z" } as const;
  expect(secondsLeft(until, Date.parse("2026-11-29T23:59:59Z"), 5 * second)).toBe(86_401);
  expect(secondsLeft(until, Date.parse("2026-12-02T00:00:00Z"), 0)).toBe(0);
});

test("days are shown as hours", () => {
  expect(formatCountdown(90_061)).toBe("25:01:01");
});
