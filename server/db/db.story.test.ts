import { readdir } from "node:fs/promises";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEmptyDatabase, type TestDatabase } from "#test/postgres.ts";
import { migrate, openPool } from "./db.ts";

let database: TestDatabase;
const pools: pg.Pool[] = [];
const open = () => {
  const pool = openPool(database.connection, () => {}, 2);
  pools.push(pool);
  return pool;
};
beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await database.drop();
});

test("I10 five nodes that migrate an empty database at once all find it migrated", async () => {
  await Promise.all(Array.from({ length: 5 }, () => migrate(open())));
  const { rows } = await open().query("select name from drizzle.__drizzle_migrations");
  const folders = await readdir(new URL("./migrations/", import.meta.url));
  expect(rows.map(({ name }) => name).sort()).toEqual(folders.sort());
});

test("the sessions table is the specification's: sid, sess, expire, and an index on expire", async () => {
  const { rows } = await open().query(
    "select column_name, data_type, is_nullable from information_schema.columns where table_name = 'sessions' and table_schema = 'public' order by ordinal_position",
  );
  expect(rows).toEqual([
    { column_name: "sid", data_type: "text", is_nullable: "NO" },
    { column_name: "sess", data_type: "json", is_nullable: "NO" },
    { column_name: "expire", data_type: "timestamp with time zone", is_nullable: "NO" },
  ]);
  const indexes = await open().query("select indexdef from pg_indexes where tablename = 'sessions'");
  expect(indexes.rows.some(({ indexdef }) => /\(expire\)/.test(indexdef))).toBe(true);
});

test.each([
  [
    "users",
    "id email first_name last_name profile_image_url phone location bio has_purchased_course purchased_tier account_status suspension_reason created_at updated_at",
  ],
  ["contacts", "id name email message created_at"],
  [
    "purchases",
    "id user_id tier amount transaction_id status subscription_id is_recurring next_billing_date subscription_status payment_declined last_payment_attempt created_at",
  ],
  ["course_progress", "id user_id lesson_id module_id is_completed watch_time completed_at created_at updated_at"],
  [
    "course_resources",
    "id module_id lesson_id title description file_url file_name file_type file_size required_tier download_count is_active created_at updated_at",
  ],
])("%s has every field of the specification", async (table, fields) => {
  const { rows } = await open().query(
    "select column_name from information_schema.columns where table_name = $1 and table_schema = 'public'",
    [table],
  );
  const columns = rows.map((row) => row.column_name);
  for (const field of fields.split(" ")) expect(columns).toContain(field);
});

test.each(["grants", "grant_ends", "audit_log"])("Z19 the database refuses to change or empty %s", async (table) => {
  for (const statement of [
    `delete from ${table}`,
    `truncate ${table} cascade`,
    `update ${table} set created_at = now()`,
  ]) {
    await expect(open().query(statement), statement).rejects.toThrow(/append-only/);
  }
});
