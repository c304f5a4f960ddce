import { expect, test } from "vitest";
import { seemsWrittenByProgram } from "./rules.ts";

test("a robot fills the hidden field, or sends within two seconds [C02]", () => {
  expect(seemsWrittenByProgram({ website: "https://shop.example" })).toBe(true);
  expect(seemsWrittenByProgram({ elapsed: 1999 })).toBe(true);
  expect(seemsWrittenByProgram({ website: "", elapsed: 2000 })).toBe(false);
  expect(seemsWrittenByProgram({})).toBe(false);
});
