import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { payloadRetention } from "#issuer/provider/payload-store.ts";
import { DAY } from "#server/base/clock.ts";
import { retentionRules } from "#server/operations/retention.ts";
import { listTables, nameOf } from "./tables.ts";

const page = readFileSync(new URL("../docs/retention.md", import.meta.url), "utf8");
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
  const said = [expiring, stays].flatMap(rowsOf).flatMap((row) => namesIn(row.split("|")[1]));
  expect(said.toSorted()).toEqual((await listTables()).map(({ name }) => name).toSorted());
});
