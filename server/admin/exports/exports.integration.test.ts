import readXlsxFile, { type CellValue } from "read-excel-file/node";
import { expect } from "vitest";
import { type ExportedList, type ExportFormat, exportedLists, exportFormats } from "#contract/admin/admin.ts";
import { listAudit } from "#contract/admin/audit.ts";
import { countUsers, endUserSessions, getUserDetail, listUsers } from "#contract/admin/users.ts";
import { sendContactMessage } from "#contract/contact.ts";
import { updateProfile } from "#contract/profile.ts";
import { booksOf, chargedTo } from "#test/books.ts";
import { exportList } from "#test/export-list.ts";
import { academyOfFile } from "#test/fixtures.ts";

const { academy, administrator: admin, test } = await academyOfFile();

/** A file as a spreadsheet reads it: its rows of cells, the heading first. */
async function read(list: ExportedList, choice?: object): Promise<string[][]> {
  const response = await exportList(admin, list, choice);
  expect(response.status, list).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  const text = bytes.subarray(3).toString("utf8");
  let end = 0;
  for (const [whole, quoted, plain, after] of text.matchAll(cell)) {
    row.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
    end += whole.length;
    if (after === ",") continue;
    rows.push(row);
    row = [];
  }
  expect(end, "all of the file is rows").toBe(text.length);
  expect(new Set(rows.map((cells) => cells.length)).size, "rows of one length").toBe(1);
  return rows;
}

/** The same rows as a workbook has them. */
async function readWorkbook(list: ExportedList, choice?: object): Promise<(CellValue | null)[][]> {
  const response = await exportList(admin, list, choice, "xlsx");
  const sheets = await readXlsxFile(Buffer.from(await response.arrayBuffer()), { trim: false });
  expect(sheets.map(({ sheet }) => sheet)).toEqual([list]);
  return sheets[0]?.data ?? [];
}

const types: Readonly<Record<ExportFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

test.each(exportedLists)("the list %s comes as CSV and as the same workbook", async (list) => {
  for (const format of exportFormats) {
    const { headers } = await exportList(admin, list, undefined, format);
    expect(headers.get("content-type")).toBe(types[format]);
    expect(headers.get("content-disposition")).toMatch(
      new RegExp(`^attachment; filename=${list}-\\d{4}-\\d{2}-\\d{2}\\.${format}$`),
    );
    expect(headers.get("cache-control")).toBe("no-store");
  }
  // Each file adds a line to the log.
  const choice = list === "audit" ? { action: "export coaching" } : undefined;
  const [headers = [], ...rows] = await read(list, choice);
  const least = { contacts: 0, audit: 0, retention: 1, value: 3 }[list as string] ?? 5;
  expect(rows.length).toBeGreaterThanOrEqual(least);
  expect(await readWorkbook(list, choice)).toEqual([
    headers,
    ...rows.map((cells) => cells.map((cell, at) => typed(cell, headers[at] ?? ""))),
  ]);
});

/** What a workbook has instead of the text in CSV. */
function typed(cell: string, header: string): unknown {
  if (cell === "") return null;
  if (header.endsWith("(UTC)")) return expect.toSatisfy((date) => Math.abs(date.getTime() - Date.parse(cell)) < 10);
  if (header.endsWith("(USD)")) return /^-?\d+\.\d\d$/.test(cell) ? Number(cell) : "two decimals";
  if (/^(true|false)$/.test(cell)) return cell === "true";
  return expect.toBeOneOf([cell, cell.replace(/^'/, ""), Number(cell)]);
}

test("names and messages that a spreadsheet would run arrive as text, whole [U21]", async ({ student }) => {
  const formula = '=HYPERLINK("http://evil.example","click")';
  await student.call(updateProfile, {
    body: { firstName: formula, lastName: '+1+1, "O\'Hara"', phone: "", location: "@SUM(A1)", bio: "" },
  });
  const choice = { filter: { search: student.email } };
  const names = { "First name": formula, "Last name": '+1+1, "O\'Hara"', Location: "@SUM(A1)" };
  const quoted = Object.entries(names).map(([header, name]) => [header, `'${name}`]);
  expect(rowsByHeader(await read("users", choice))).toEqual([expect.objectContaining(Object.fromEntries(quoted))]);
  expect(rowsByHeader(await readWorkbook("users", choice))).toEqual([expect.objectContaining(names)]);

  const message = '-2+3\r\n"quoted", and\tÜmläuts 🧾\nlast line\u0007';
  await academy.visitor().call(sendContactMessage, { body: { name: "Ä", email: "csv@example.test", message } });
  const [, contact] = await read("contacts", { filter: { search: "csv@example.test" } });
  expect(contact?.[3]).toBe('\'-2+3\r\n"quoted", and\tÜmläuts 🧾\nlast line');
});

function rowsByHeader<Cell>([headers = [], ...rows]: readonly Cell[][]): Record<string, Cell>[] {
  return rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [String(headers[at]), cell])));
}

test("users have their plan, its end, what they paid and got back, and their last sign-in", async () => {
  const rowOf = async ({ email }: { readonly email: string }) => {
    const [row] = rowsByHeader(await read("users", { filter: { search: email } }));
    const { access, signIns } = (await admin.call(getUserDetail, { params: { userId: row?.ID ?? "" } })).body;
    expect(row?.["Access until (UTC)"]).toBe(access.until ?? "");
    expect(row?.["Last sign-in (UTC)"]).toBe(signIns[0]?.lastSignInAt);
    return [row?.Plan, row?.["Paid in all (USD)"], row?.["Refunded (USD)"]];
  };
  const student = await academy.buyer("basic");
  expect(await rowOf(student)).toEqual(["Monthly Access", "49.00", "0.00"]);
  await student.buyQuoted("vip");
  const [monthly = 0, upgrade = 0] = await chargedTo(academy, student);
  expect(await rowOf(student)).toEqual(["Lifetime Access", (monthly + upgrade).toFixed(2), "0.00"]);
  const { student: refunded, purchaseId } = await academy.purchase("premium");
  await booksOf(admin).refund(purchaseId);
  expect(await rowOf(refunded)).toEqual(["", "397.00", "397.00"]);
  expect(await rowOf(await academy.visitor().signUp())).toEqual(["", "0.00", "0.00"]);
});

test("a file holds every row that the filters let through, over many pages of reading", async () => {
  await academy.pool.query(`insert into users (id, email, created_at, updated_at)
    select 'export' || n, 'export' || n || '@example.test', now(), now() from generate_series(1, 2500) as n`);
  const [, ...rows] = await read("users", { filter: { search: "export" } });
  expect(rows).toHaveLength((await admin.call(countUsers, { query: { search: "export" } })).body.total);
  expect(new Set(rows.map(([id]) => id)).size).toBe(2500);
  expect((await exportList(admin, "users", { filter: { sort: "password" } })).status).toBe(400);
  expect((await exportList(admin, "money", { from: "2026-02-02", to: "2026-02-01" })).status).toBe(400);
});

test("a file is recorded before it is sent: list, format, what was chosen, how many rows", async () => {
  const [first] = (await admin.call(listUsers, { query: { search: "vip@academy.test" } })).body;
  await exportList(admin, "users", { filter: { search: "vip@academy.test", status: "active" }, except: ["none"] });
  await exportList(admin, "users", { ids: [first?.id, "none"] });
  await exportList(admin, "money", { by: "month" }, "xlsx");
  await exportList(admin, "contacts", { filter: { state: "unknown" } });
  const lines = (await admin.call(listAudit, { query: { action: "export", limit: "3" } })).body.rows;
  expect(lines).toMatchObject([
    { action: "export money", subject: "money", actorName: "Ruth Okafor", after: { format: "xlsx", by: "month" } },
    { action: "export users", subject: "users", after: { format: "csv", selected: 2, rows: 1 } },
    { action: "export users", after: { search: "(words)", status: "active", deselected: 1, rows: 1 } },
  ]);
});

test("the log is filtered by who, what, whom and when, counted, and read page by page", async () => {
  const [user] = (await admin.call(listUsers, { query: { search: "new@academy.test" } })).body;
  for (let times = 0; times < 3; times++) await admin.call(endUserSessions, { body: { userId: user?.id } });
  const list = async (query: Record<string, string>) => (await admin.call(listAudit, { query })).body.rows;
  const entries = await list({ subject: user?.id ?? "" });
  expect(entries).toHaveLength(3);
  const [newest, middle, oldest] = entries;
  expect(newest).toMatchObject({
    actorName: "Ruth Okafor",
    subjectName: "Toby Lindqvist",
    action: "sign out everywhere",
  });
  expect(await list({ subject: user?.id ?? "", after: newest?.id ?? "", limit: "1" })).toEqual([middle]);
  expect(await list({ action: "OUT every", after: middle?.id ?? "" })).toEqual([oldest]);
  const day = newest?.createdAt.slice(0, 10) ?? "";
  expect(await list({ actor: newest?.actor ?? "", action: "sign out", from: day, to: day })).toHaveLength(3);
  expect(await list({ to: "2020-01-01" })).toEqual([]);
  const total = async (query: Record<string, string>) => (await admin.call(listAudit, { query })).body.total;
  expect(await total({ action: "sign out", limit: "1" })).toBe(3);
  expect(await total({ action: "sign out", after: newest?.id ?? "" })).toBeNull();
  const [, ...rows] = await read("audit", { subject: user?.id ?? "" });
  expect(rows).toHaveLength(3);
});
