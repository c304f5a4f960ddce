import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate, openPool } from "#server/db/db.ts";
import { createEmptyDatabase, type TestDatabase } from "#test/postgres.ts";

let database: TestDatabase;
let pool: ReturnType<typeof openPool>;
beforeAll(async () => {
  database = await createEmptyDatabase();
  pool = openPool(database.connection, () => {}, 1);
  await migrate(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test.each([
  ["payment_attempts", "purchase_id", "purchases"],
  ["card_validations", "purchase_id", "purchases"],
  ["letters", "user_id", "users"],
])("%s.%s names a row of %s, though the code of that table does not know it", async (table, column, target) => {
  const { rows } = await pool.query(
    `select c.confrelid::regclass::text as target from pg_constraint c
     join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
     where c.contype = 'f' and c.conrelid = $1::regclass and a.attname = $2`,
    [table, column],
  );
  expect(rows).toEqual([{ target }]);
});
