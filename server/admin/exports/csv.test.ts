import { expect, test } from "vitest";
import { csvRow } from "./csv.ts";
import { offsetIn } from "./table.ts";

test("a row ends with CRLF, and commas, quotes and lines stay in their cell", () => {
  expect(csvRow(["a", 1, null, true])).toBe("a,1,,true\r\n");
  expect(csvRow(['Say "hi", please', "two\nlines", " edge "])).toBe('"Say ""hi"", please","two\nlines"," edge "\r\n');
});

test.each(["=HYPERLINK(1)", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1", "＝1", "\u0000=1", "\uFEFF=1"])(
  "%j is text, not a formula [U21]",
  (text) => {
    expect(csvRow([text])).toMatch(/^"?'/);
  },
);

test("no formula begins after what separates cells in other languages [U21]", () => {
  expect(csvRow(["a;=1", "b | @SUM(A1)", "c\t＝1", "no; sign"])).toBe("a;'=1,b | '@SUM(A1),c\t'＝1,no; sign\r\n");
});

test("numbers of ours stay numbers, and what holds a sign inside stays as it is [U21]", () => {
  expect(csvRow([-49, "a=b", "O'Hara", "x@example.test"])).toBe("-49,a=b,O'Hara,x@example.test\r\n");
});

test("money has two decimals, days are ISO texts, and so are instants, in their time zone", () => {
  const at = new Date("2026-01-31T00:00:00.000Z");
  expect(csvRow([49, -0.5, 3, at, at], ["money", "money", "number", "instant", "day"])).toBe(
    "49.00,-0.50,3,2026-01-31T00:00:00.000Z,2026-01-31\r\n",
  );
  const inNewYork = csvRow([new Date("2026-07-01T02:30:00.250Z")], ["instant"], offsetIn("America/New_York"));
  expect(inNewYork).toBe("2026-06-30T22:30:00.250-04:00\r\n");
});

test("control characters are left out", () => {
  expect(csvRow(["a\u0007b\u001b[31m"])).toBe("ab[31m\r\n");
});
