import { readFileSync } from "node:fs";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { cloneDatabase } from "./postgres.ts";

test("the rows that bench/administration.ts adds fit the tables", async () => {
  const database = await cloneDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await database.drop();
  });
  const rows = readFileSync(new URL("../bench/many-people.sql", import.meta.url), "utf8");

  // Few rows, and without those that they refer to.
  await client.query("set session_replication_role = replica");
  await client.query(rows.replaceAll(/generate_series\(1, \d+\)/g, "generate_series(1, 20)"));
  const { rows: found } = await client.query("select count(*)::int as users from users where id like 'bench-%'");

  expect(found).toEqual([{ users: 20 }]);
});
