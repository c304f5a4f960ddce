import { expect, test } from "vitest";
import { rangeOf } from "./range.ts";

test.each([
  ["bytes=0-9", { first: 0, last: 9 }],
  ["bytes=90-", { first: 90, last: 99 }],
  ["bytes=-5", { first: 95, last: 99 }],
  ["bytes=-500", { first: 0, last: 99 }],
  ["bytes=0-1000000000000", { first: 0, last: 99 }],
  ["bytes=99-99", { first: 99, last: 99 }],
  ["bytes=100-", "unsatisfiable"],
  ["bytes=100-200", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  // Not understood: the whole file.
  [undefined, null],
  ["", null],
  ["bytes=-", null],
  ["bytes=5-2", null],
  ["bytes=0-1,5-6", null],
  ["lines=0-1", null],
  ["bytes=a-b", null],
  ["bytes=0x1-5", null],
])("of 100 bytes, %o asks for %o", (header, expected) => {
  expect(rangeOf(header, 100)).toEqual(expected);
});
