import { expect, test } from "vitest";
import { findWeakness } from "./weak-password.ts";

const person = { email: "marisol.vega@example.com", firstName: "Marisol", lastName: "Vega-Santos" };

test.each([
  ["short-one", "at least 10"],
  ["x".repeat(129), "at most 128"],
  ["password1234", "common"],
  ["Passw0rd!123", "common"],
  ["P@$$w0rd2026", "common"],
  ["123Sunshine!", "common"],
  ["1loveyou2026", "common"],
  ["qwertyuiop123", "common"],
  ["1234567890", "easy to guess"],
  ["0987654321", "easy to guess"],
  ["abcdefghijkl", "easy to guess"],
  ["1qaz2wsx3edc", "easy to guess"],
  ["aaaaaaaaaaaa", "easy to guess"],
  ["abcabcabcabc", "easy to guess"],
  ["Kettle7!Kettle7!", "easy to guess"],
  ["marisol.vega", "your name or email address"],
  ["Marisol2026!", "your name or email address"],
  ["vega-santos1", "your name or email address"],
  ["marisol.vega@example.com", "your name or email address"],
])("%j is refused: %s", (password, reason) => {
  expect(findWeakness(password, person)).toContain(reason);
});

test.each([
  ["academy-demo"],
  ["seven kettles sing"],
  ["correct horse battery staple"],
  ["kX9#vLq2!tB7"],
  ["my password is long enough"],
  ["пароль из слов"],
  ["two words, 2026 kettles and 1 lamp"],
])("%j is good", (password) => {
  expect(findWeakness(password, person)).toBeNull();
});

test("a password made to be read in every possible way is still judged", () => {
  for (const hostile of [`${"1".repeat(127)}a`, `${"1!".repeat(63)}a`]) {
    expect(findWeakness(hostile, person)).toContain("repeats itself");
  }
});

test("characters are counted as people count them", () => {
  expect(findWeakness("🐙🦊🐝🐢", person)).toContain("at least 10");
});
