import { expect, test } from "vitest";
import { codeOf } from "#test/code-of.ts";
import { checkDeclines } from "./rules.ts";

test("ten declines of a student and thirty from a client are too many for anybody [P32]", () => {
  const declines = { ofStudent: 9, ofClient: 29, ofAll: 299 };
  for (const hasPaid of [true, false]) {
    expect(codeOf(() => checkDeclines(declines, hasPaid))).toBeUndefined();
    for (const more of [{ ofStudent: 10 }, { ofClient: 30 }]) {
      expect(codeOf(() => checkDeclines({ ...declines, ...more }, hasPaid))).toBe("too-many-requests");
    }
  }
});

test("three hundred declines of all together slow newcomers down and refuse nobody who has paid before [P32]", () => {
  const attacked = { ofStudent: 1, ofClient: 4, ofAll: 100_000 };
  expect(codeOf(() => checkDeclines(attacked, false))).toBeUndefined();
  expect(codeOf(() => checkDeclines({ ...attacked, ofStudent: 2 }, false))).toBe("too-many-requests");
  expect(codeOf(() => checkDeclines({ ...attacked, ofClient: 5 }, false))).toBe("too-many-requests");
  expect(codeOf(() => checkDeclines({ ...attacked, ofStudent: 9, ofClient: 29 }, true))).toBeUndefined();
  expect(codeOf(() => checkDeclines({ ofStudent: 2, ofClient: 5, ofAll: 299 }, false))).toBeUndefined();
  expect(codeOf(() => checkDeclines({ ofStudent: 2, ofClient: 5, ofAll: 300 }, false))).toBe("too-many-requests");
});
