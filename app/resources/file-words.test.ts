import { expect, test } from "vitest";
import { extensionOf, formatSize } from "./file-words.ts";

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 KB"],
  [24_817, "24.8 KB"],
  [99_950, "100 KB"],
  [999_949, "1000 KB"],
  [999_950, "1.0 MB"],
  [104_857_600, "105 MB"],
])("%i bytes are %s", (bytes, words) => {
  expect(formatSize(bytes)).toBe(words);
});

test("the extension of a name is said in capitals", () => {
  expect(["Buy sheet.xlsx", "a.b.Pdf", "none"].map(extensionOf)).toEqual(["XLSX", "PDF", "FILE"]);
});
