import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { payloadRetention } from "#issuer/provider/payload-store.ts";
import { DAY } from "#server/base/clock.ts";
import { retentionRules } from "#server/operations/retention.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(`${root}docs/retention.md`, "utf8");
const [expiring = "", stays = ""] = page.split("## What stays");
const rowsOf = (text: string) => text.split("\n").filter((line) => line.startsWith("| `"));
const namesIn = (cell = "") => [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = ""]) => name);

test("docs/retention.md says of every rule what the code does", () => {
  const said = rowsOf(expiring).map((row) => {
    const [, table = "", , howLong = ""] = row.split("|").map((cell) => cell.trim());
    return `${namesIn(table).join()} ${/^(until|\d+ days? after) `\w+`/.exec(howLong)?.[0]}`;
  });
  const done = [...retentionRules, ...payloadRetention].map(({ table, from, keptFor }) => {
    const days = keptFor / DAY;
    const rule = days === 0 ? "until" : `${days} ${days === 1 ? "day" : "days"} after`;
    return `${nameOf(table)} ${rule} \`${from.name}\``;
  });
  expect(said.toSorted()).toEqual(done.toSorted());
});

test("docs/retention.md names every table once, with a rule or as one that stays", async () => {
  const said = [
    ...rowsOf(expiring).flatMap((row) => namesIn(row.split("|")[1])),
    ...rowsOf(stays).flatMap((row) => namesIn(row.split("|")[1])),
  ];
  expect(said.toSorted()).toEqual((await listTables()).toSorted());
});

async function listTables(): Promise<string[]> {
  const files = globSync(["server/*/tables.ts", "issuer/tables.ts"], { cwd: root });
  const modules = await Promise.all(files.map((file) => import(`${root}${file}`) as Promise<Record<string, unknown>>));
  return modules.flatMap((module) =>
    Object.values(module).flatMap((value) => (is(value, PgTable) ? nameOf(value) : [])),
  );
}

function nameOf(table: PgTable): string {
  const { schema, name } = getTableConfig(table);
  return schema ? `${schema}.${name}` : name;
}
