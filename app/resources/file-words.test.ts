import { expect, test } from "vitest";
import { extensionOf } from "./file-words.ts";

test("a file's extension is shown in capitals", () => {
  expect(["Buy sheet.xlsx", "a.b.Pdf", "none"].map(extensionOf)).toEqual(["XLSX", "PDF", "FILE"]);
});
