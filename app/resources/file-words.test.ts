import { expect, test } from "vitest";
import { extensionOf } from "./file-words.ts";

test("the extension of a name is said in capitals", () => {
  expect(["Buy sheet.xlsx", "a.b.Pdf", "none"].map(extensionOf)).toEqual(["XLSX", "PDF", "FILE"]);
});
