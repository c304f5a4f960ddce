import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { contentTables, description, exportedTables } from "./contents.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** All tables, each with its columns that the database does not compute. */
async function declaredTables(): Promise<{ table: string; columns: string[] }[]> {
  const files = globSync("{server/*,issuer}/tables.ts", { cwd: root });
  const modules: object[] = await Promise.all(files.map((file) => import(root + file)));
  const tables = modules.flatMap((module) => Object.values(module)).filter((one) => is(one, PgTable));
  return tables.map(getTableConfig).map(({ schema, name, columns }) => ({
    table: schema ? `${schema}.${name}` : name,
    columns: columns.flatMap((column) => (column.generated ? [] : column.name)).toSorted(),
  }));
}

test("every table and column is either exported or left out on purpose [N27]", async () => {
  const [, list = ""] = description.split("## Tables that aren't exported");
  const leftOut = [...list.matchAll(/^- ([\w.]+): \w/gm)].map(([, name = ""]) => name);
  const known = exportedTables.map(({ name, columns, leftOut: others }) => ({
    table: name,
    columns: [...columns, ...others].toSorted(),
  }));
  const declared = (await declaredTables()).toSorted((a, b) => (a.table < b.table ? -1 : 1));
  const hint = "name it in server/operations/export/contents.md: as exported, or with a reason why it is not";
  expect(
    declared.map(({ table }) => table),
    hint,
  ).toEqual([...leftOut, ...known.map(({ table }) => table)].toSorted());
  expect(
    declared.filter(({ table }) => !leftOut.includes(table)),
    hint,
  ).toEqual(known.toSorted((a, b) => (a.table < b.table ? -1 : 1)));
  expect(contentTables.length).toBeGreaterThan(15);
});
