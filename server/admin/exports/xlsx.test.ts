import { buffer } from "node:stream/consumers";
import readXlsxFile from "read-excel-file/node";
import { expect, test } from "vitest";
import { unzip } from "#test/unzip.ts";
import { type Column, tableOf } from "./table.ts";
import { writeXlsx } from "./xlsx.ts";

async function workbookOf<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  timeZone = "UTC",
): Promise<Buffer> {
  return buffer(await writeXlsx("list", tableOf(columns, { total: rows.length, pages: [rows] }, timeZone)));
}

async function textIn(bytes: Buffer): Promise<unknown> {
  const [sheet] = await readXlsxFile(bytes, { trim: false });
  return sheet?.data[1]?.[0];
}

const formulas = ["=HYPERLINK(1)", "+1 555", "-5", "@SUM(A1)", "\t=1", "a;=1", "＝1"];
const numbersAndDates = ["02134", "1E5", "1/2", "TRUE", "2026-01-31", " edge ", "'quoted"];
const marks = ['<b>&amp;"', "]]>", "Ä 🧾 \u200F", "two\nlines", "_x0041_ _x005F_", "_"];

test.each([
  ...[...formulas, ...numbersAndDates, ...marks].map((text) => [text, text]),
  ["one\r\ntwo\rthree", "one\ntwo\nthree"],
  ["a\u0000b\u0007c\u001B[31m\uFFFE", "abc[31m"],
  ["half \uD83E", "half \uFFFD"],
])("%j is the same text in a workbook, and no formula [U21]", async (text, expected) => {
  const bytes = await workbookOf([["Text", "text", "text"]], [{ text }]);
  expect(await textIn(bytes)).toBe(expected);
  expect(unzip(bytes).get("xl/worksheets/sheet1.xml")?.toString()).not.toContain("<f");
});

test("text is cut with a mark where it is longer than a cell can hold, and never inside a character", async () => {
  const x = "x".repeat(32_767);
  for (const [text, expected] of [
    [x, x],
    [`${x}x`, `${x.slice(7)}… (cut)`],
    [`${x.slice(8)}${"🧾".repeat(5)}`, `${x.slice(8)}… (cut)`],
  ]) {
    expect(await textIn(await workbookOf([["Text", "text", "text"]], [{ text: text ?? "" }]))).toBe(expected);
  }
});

test("amounts are numbers shown as money, instants and days are dates of UTC, and nothing is an empty cell", async () => {
  const row = {
    ...{ decimal: "1497.50", dollars: -0.1, at: "2026-11-28T23:59:30.000Z", day: "2026-01-31", month: "2027-03" },
    ...{ count: 3, isPaid: false, none: null },
  };
  const bytes = await workbookOf(
    [
      ["Decimal (USD)", "money", "decimal"],
      ["Dollars (USD)", "money", ({ dollars }) => dollars],
      ["At", "instant", "at"],
      ["Day", "day", "day"],
      ["Month", "day", "month"],
      ["Count", "number", "count"],
      ["Paid", "boolean", "isPaid"],
      ["Never", "instant", "none"],
      ["Text", "text", "none"],
    ],
    [row],
  );
  const [sheet] = await readXlsxFile(bytes);
  expect(sheet?.data[1]).toEqual([
    ...[1497.5, -0.1, new Date(row.at), new Date("2026-01-31"), new Date("2027-03-01"), 3, false, null, null],
  ]);
  const files = unzip(bytes);
  const styles = files.get("xl/styles.xml")?.toString() ?? "";
  const [, format] = /numFmtId="(\d+)" formatCode="&quot;\$&quot;#,##0\.00"/.exec(styles) ?? [];
  const formats = [...(/<cellXfs.*<\/cellXfs>/.exec(styles)?.[0] ?? "").matchAll(/<xf numFmtId="(\d+)"/g)];
  const [, style] = /<c r="A2" s="(\d+)">/.exec(files.get("xl/worksheets/sheet1.xml")?.toString() ?? "") ?? [];
  expect(formats[Number(style)]?.[1]).toBe(format ?? "none");
});

test("instants are those of the academy's time zone, which their header names", async () => {
  const bytes = await workbookOf([["At", "instant", "at"]], [{ at: "2026-11-28T23:59:30.000Z" }], "Asia/Kathmandu");
  const [sheet] = await readXlsxFile(bytes, { trim: false });
  const [header, row] = sheet?.data ?? [];
  expect(header).toEqual(["At (Asia/Kathmandu)"]);
  expect(Number(row?.[0])).toBeCloseTo(Date.parse("2026-11-29T05:44:30.000Z"), -1);
});
