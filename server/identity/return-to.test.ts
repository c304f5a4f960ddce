import { expect, test } from "vitest";
import { safeReturnTo } from "./return-to.ts";

test.each([
  ...["/dashboard", "/course-access?welcome=true", "/#pricing", "/", "/caf%C3%A9", "/@example.com"],
  "/checkout?tier=premium&name=Annual%20Access&next=https://example.com//x",
])("%j is a path of this site", (path) => {
  expect(safeReturnTo(path, "/fallback")).toBe(path);
});

test("a path is led back to its shortest form", () => {
  expect(safeReturnTo("/a/../b", "/fallback")).toBe("/b");
});

test.each([
  ...["https://example.com", "//example.com", "///example.com", "/\\example.com", "\\/example.com", "\\\\example.com"],
  ...["/%2f%2fexample.com", "/%2Fexample.com", "/%5cexample.com", "/%09/example.com", "/\t/example.com"],
  ...["\t//example.com", " //example.com", "/\n/example.com", "/..//example.com", "/.//example.com"],
  ...["/%2e%2e//example.com", "/a/..//example.com", "javascript:alert(1)", "java\nscript:alert(1)", "data:text/html,x"],
  ...["@example.com", "example.com", "/dashboard\r\nSet-Cookie: sid=1", "/dashboard%0d%0aSet-Cookie: sid=1"],
  ...["/\0", "/%ff", `/${"a".repeat(8192)}`, "", "?x=1", undefined, null, { href: "/a" }],
])("%j leads nowhere but to the fallback", (text) => {
  expect(safeReturnTo(text, "/fallback")).toBe("/fallback");
});

test("a path that is given twice leads to the fallback", () => {
  expect(safeReturnTo(["/a", "/b"], "/fallback")).toBe("/fallback");
});
