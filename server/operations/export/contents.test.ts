import { expect, test } from "vitest";
import { listTables } from "#test/tables.ts";
import { contentTables, description, exportedTables } from "./contents.ts";

test("every table and column is either exported or left out on purpose [N27]", async () => {
  const [, list = ""] = description.split("## Tables that aren't exported");
  const leftOut = [...list.matchAll(/^- ([\w.]+): \w/gm)].map(([, name = ""]) => name);
  const known = exportedTables.map(({ name, columns, leftOut: others }) => ({
    table: name,
    columns: [...columns, ...others].toSorted(),
  }));
  const declared = (await listTables())
    .map(({ name, columns }) => ({
      table: name,
      // The database computes the others.
      columns: columns.flatMap((column) => (column.generated ? [] : column.name)).toSorted(),
    }))
    .toSorted((a, b) => (a.table < b.table ? -1 : 1));
  const hint = "name it in server/operations/export/contents.md: as exported, or with a reason why it is not";
  const names = declared.map(({ table }) => table);
  expect(names, hint).toEqual([...leftOut, ...known.map(({ table }) => table)].toSorted());
  const exported = declared.filter(({ table }) => !leftOut.includes(table));
  expect(exported, hint).toEqual(known.toSorted((a, b) => (a.table < b.table ? -1 : 1)));
  expect(contentTables.length).toBeGreaterThan(15);
});
