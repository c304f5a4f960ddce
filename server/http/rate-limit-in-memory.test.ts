import { beforeEach, expect, test, vi } from "vitest";
import { limitInMemory } from "./rate-limit-in-memory.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  return () => vi.useRealTimers();
});

test("a key has its uses within the window, and again once it has passed", () => {
  const count = limitInMemory({ max: 2, window: 60_000, message: "Wait." });
  const use = (key: string) => () => count(key);
  for (const key of ["a", "a", "b"]) expect(use(key)).not.toThrow();
  vi.advanceTimersByTime(59_500);
  expect(use("a")).toThrow(expect.objectContaining({ code: "too-many-requests", retryAfterSeconds: 1 }));
  expect(use("b")).not.toThrow();
  vi.advanceTimersByTime(500);
  expect(use("a")).not.toThrow();
});
