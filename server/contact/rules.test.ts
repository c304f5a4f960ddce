import { expect, test } from "vitest";
import { isWrittenByProgram } from "./rules.ts";

test("a robot fills the hidden field, or sends within two seconds [C02]", () => {
  expect(isWrittenByProgram({ website: "https://shop.example" })).toBe(true);
  expect(isWrittenByProgram({ elapsed: 1999 })).toBe(true);
  expect(isWrittenByProgram({ website: "", elapsed: 2000 })).toBe(false);
  expect(isWrittenByProgram({})).toBe(false);
});
