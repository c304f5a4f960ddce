import { expect, test } from "vitest";
import { migrate } from "#server/db/db.ts";
import { databaseOfFile } from "#test/fixtures.ts";
import { createEmptyDatabase } from "#test/postgres.ts";

const { pool } = await databaseOfFile(createEmptyDatabase());
await migrate(pool);

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
