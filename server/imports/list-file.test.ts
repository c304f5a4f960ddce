import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeXlsx } from "hucre/xlsx";
import { expect, test } from "vitest";
import { folderOfTest } from "#test/temporary-folder.ts";
import { readList } from "./list-file.ts";
import { readFile } from "./read-file.ts";

const limits = { mostRows: 10, mostColumns: 3, mostBytes: 100_000, mostCharacters: 1000 };
const lines = (...rows: string[]) => `${rows.join("\r\n")}\r\n`;
const readText = (text: string) => readList(Buffer.from(text), limits);
const workbookOf = async (rows: (string | Date)[][]) =>
  Buffer.from(await writeXlsx({ sheets: [{ name: "Students", rows }] }));

test("files in UTF-8, UTF-16 and Windows-1252 and with three separators are read alike [N10]", async () => {
  const name = "=HYPERLINK(“x”) <b>Zoë</b>";
  const text = (separator: string) =>
    lines(["email", "name"].join(separator), ["zoe@example.test", name].join(separator));
  const wide = Buffer.from(`\uFEFF${text("\t")}`, "utf16le");
  const swapped = Buffer.from(wide).swap16();
  const unmarked = [wide, swapped].map((content) => content.subarray(2));
  const files = [Buffer.from(text(",")), Buffer.from(`\uFEFF${text(";")}`), wide, swapped, ...unmarked];
  const rows = [{ line: 2, cells: ["zoe@example.test", name] }];
  for (const [number, content] of files.entries())
    expect(await readList(content, limits), String(number)).toEqual({ columns: ["email", "name"], rows });
  const windows = Buffer.from(text(",").replace(/[“”]/g, "'"), "latin1");
  const read = await readList(windows, limits);
  expect(read).toMatchObject({ rows: [{ cells: ["zoe@example.test", "=HYPERLINK('x') <b>Zoë</b>"] }] });
});

test("a workbook is read with its dates and the line numbers of its sheet", async () => {
  const until = new Date("2031-05-31T00:00:00Z");
  const workbook = await workbookOf([["Email", "Until"], [], ["sheet@example.test", until]]);
  expect(await readList(workbook, limits)).toEqual({
    columns: ["Email", "Until"],
    rows: [{ line: 3, cells: ["sheet@example.test", "2031-05-31"] }],
  });
});

test("a small file that would fill the memory is refused [N10]", async () => {
  const tooLarge = { fault: "too-large" };
  // A workbook states the text once.
  const repeated = await workbookOf([["Email"], ...Array.from({ length: 4 }, () => ["x".repeat(300)])]);
  expect(await readList(repeated, limits)).toEqual(tooLarge);
  expect(await readList(repeated, { ...limits, mostCharacters: 1200 })).toMatchObject({ columns: ["Email"] });
  const directory = repeated.lastIndexOf("PK\u0001\u0002", undefined, "latin1");
  const end = repeated.length - 22;
  for (const [at, bytes] of [
    [end + 10, "ffff"], // ZIP64
    [directory + 24, "00000010"], // A part of 256 MB
  ] as const) {
    const lying = Buffer.from(repeated);
    lying.write(bytes, at, "hex");
    expect(await readList(lying, { ...limits, mostCharacters: 1200 }), bytes).toEqual(tooLarge);
  }
});

test("a file of more rows or columns than the limit is refused, and one of as many is read", async () => {
  const rows = (count: number) => `email\n${"a@example.test\n".repeat(count)}`;
  expect(await readText(rows(10))).toMatchObject({ columns: ["email"] });
  expect(await readText(rows(11))).toEqual({ fault: "rows" });
  expect(await readText("a,b,c\n1,2,3\n")).toMatchObject({ columns: ["a", "b", "c"] });
  expect(await readText("a,b,c,d\n1,2,3,4\n")).toEqual({ fault: "columns" });
});

test("a file that is no list is refused in a sentence [N10]", async () => {
  const folder = folderOfTest();
  const picture = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
  const lyingZip = Buffer.from(await workbookOf([["Email"], ["a@example.test"]]));
  lyingZip.write("ffff", lyingZip.length - 12, "hex");
  for (const [content, message] of [
    ["", /^This file is empty/],
    ["email,plan\n,\n", /^This file has no rows\.$/],
    [picture, /^This isn’t a CSV or XLSX file/],
    ["PK\u0003\u0004 and nothing else", /^We can’t read this file/],
    [lyingZip, /too large/],
    [`${Array.from({ length: 1001 }, (_, n) => `c${n}`).join(",")}\n`, /1,000 columns/],
    [`email\n${"a@example.test\n".repeat(10_001)}`, /10,000 rows/],
  ] as const) {
    const path = join(folder, "list");
    writeFileSync(path, content);
    await expect(readFile(path), String(message)).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringMatching(message),
    });
  }
});
