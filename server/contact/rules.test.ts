import { expect, test } from "vitest";
import { checkReceived, isWrittenByProgram } from "./rules.ts";

test("a client sends at most ten messages an hour, and all together two hundred [C01]", () => {
  expect(() => checkReceived({ ofClient: 9, ofAll: 199 })).not.toThrow();
  expect(() => checkReceived({ ofClient: 10, ofAll: 10 })).toThrow("Too many messages");
  expect(() => checkReceived({ ofClient: 0, ofAll: 200 })).toThrow("Too many messages");
});

test("a robot fills the hidden field, or sends within two seconds [C02]", () => {
  expect(isWrittenByProgram({ website: "https://shop.example" })).toBe(true);
  expect(isWrittenByProgram({ elapsed: 1999 })).toBe(true);
  expect(isWrittenByProgram({ website: "", elapsed: 2000 })).toBe(false);
  expect(isWrittenByProgram({})).toBe(false);
});
