import { expect, test } from "vitest";
import { bookingWords } from "./booking-words.ts";

const cancelled = {
  state: "cancelled",
  cancelledBy: "student",
  isLate: true,
  isForgiven: false,
  counts: true,
} as const;

test("a late cancellation says whether the session counts as used", () => {
  expect(bookingWords(cancelled)).toBe("You cancelled it less than 24 hours before it, so it counts as used.");
  expect(bookingWords({ ...cancelled, isForgiven: true, counts: false })).toContain("it doesn't count");
  expect(bookingWords({ ...cancelled, isLate: false, counts: false })).toBe("You cancelled it. It doesn't count.");
});

test("what the academy did is not blamed on the student", () => {
  const ours = { ...cancelled, isLate: false, counts: false };
  for (const isLate of [false, true]) {
    expect(bookingWords({ ...ours, isLate, cancelledBy: "coach" })).toBe(
      "Your coach cancelled it. You get this session back, plus an extra one.",
    );
  }
  expect(bookingWords({ ...ours, state: "missed-by-coach" })).toContain("We missed it");
});
