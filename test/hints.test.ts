import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("hints of forms are sentences, which do not begin with “Of” or “Empty:”", () => {
  const hints = globSync(["app/**/*.{ts,tsx}", "ui/**/*.{ts,tsx}"], { exclude: ["**/*.test.*"] }).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\bhint\s*[=:]\s*\{?\s*["'`]([^"'`]*)/g)].map(([, hint = ""]) => hint),
  );
  expect(hints.length).toBeGreaterThan(50);
  expect(hints.filter((hint) => /^(Of |For who|Empty:|Off:)/.test(hint))).toEqual([]);
});
