import { expect, test } from "vitest";
import { safeReturnTo } from "./return-to.ts";

test.each([
  ["/dashboard", "/dashboard"],
  ["/course-access?welcome=true", "/course-access?welcome=true"],
  ["/#pricing", "/#pricing"],
  ["/", "/"],
  [
    "/checkout?tier=premium&name=Annual%20Access&next=https://example.com//x",
    "/checkout?tier=premium&name=Annual%20Access&next=https://example.com//x",
  ],
  ["/a/../b", "/b"],
  ["/caf%C3%A9", "/caf%C3%A9"],
  ["/@example.com", "/@example.com"],
])("%j is a path of this site", (text, path) => {
  expect(safeReturnTo(text, "/fallback")).toBe(path);
});

test.each([
  ["https://example.com"],
  ["//example.com"],
  ["///example.com"],
  ["/\\example.com"],
  ["\\/example.com"],
  ["\\\\example.com"],
  ["/%2f%2fexample.com"],
  ["/%2Fexample.com"],
  ["/%5cexample.com"],
  ["/%09/example.com"],
  ["/\t/example.com"],
  ["\t//example.com"],
  [" //example.com"],
  ["/\n/example.com"],
  ["/..//example.com"],
  ["/.//example.com"],
  ["/%2e%2e//example.com"],
  ["/a/..//example.com"],
  ["javascript:alert(1)"],
  ["java\nscript:alert(1)"],
  ["data:text/html,x"],
  ["@example.com"],
  ["example.com"],
  ["/dashboard\r\nSet-Cookie: sid=1"],
  ["/dashboard%0d%0aSet-Cookie: sid=1"],
  ["/\0"],
  ["/%ff"],
  [`/${"a".repeat(8192)}`],
  [""],
  ["?x=1"],
  [undefined],
  [null],
  [["/a", "/b"]],
  [{ href: "/a" }],
])("%j leads nowhere but to the fallback", (text) => {
  expect(safeReturnTo(text, "/fallback")).toBe("/fallback");
});
