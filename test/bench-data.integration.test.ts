import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { databaseOfTest } from "./fixtures.ts";

test("the rows that bench/administration.ts adds fit the tables", async () => {
  const { pool } = await databaseOfTest();
  const rows = readFileSync(new URL("../bench/many-people.sql", import.meta.url), "utf8");

  // Few rows, and without those that they refer to.
  const few = rows.replaceAll(/generate_series\(1, \d+\)/g, "generate_series(1, 20)");
  await pool.query(`set session_replication_role = replica; ${few}`);
  const { rows: found } = await pool.query("select count(*)::int as users from users where id like 'bench-%'");

  expect(found).toEqual([{ users: 20 }]);
});
