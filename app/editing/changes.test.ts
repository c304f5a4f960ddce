import { expect, test } from "vitest";
import { changesBetween } from "./changes.ts";

test("only differing fields are changes, at any depth", () => {
  expect(
    changesBetween(
      { tier: "basic", address: { city: "Lima", zip: 1 } },
      { tier: "vip", address: { city: "Lima", zip: 2 } },
    ),
  ).toEqual([
    { field: "tier", before: "basic", after: "vip" },
    { field: "address, zip", before: "1", after: "2" },
  ]);
});

test("added and removed fields are null on the missing side", () => {
  expect(changesBetween(null, { isDeclined: true })).toEqual([{ field: "is declined", before: null, after: "yes" }]);
  expect(changesBetween({ features: ["One", "Two"] }, undefined)).toEqual([
    { field: "features", before: "One, Two", after: null },
  ]);
  expect(changesBetween(undefined, null)).toEqual([]);
});

test("text that only looks like a date stays as typed", () => {
  expect(changesBetween({ title: "2026-13-45T99:99:99Z" }, null)).toEqual([
    { field: "title", before: "2026-13-45T99:99:99Z", after: null },
  ]);
});

test("markup and formulas stay plain text", () => {
  expect(changesBetween({ title: "<b>a</b>" }, { title: "=1+1" })).toEqual([
    { field: "title", before: "<b>a</b>", after: "=1+1" },
  ]);
});
