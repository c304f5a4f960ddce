import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { databaseOfFile, databaseOfTest } from "#test/fixtures.ts";
import { createEmptyDatabase } from "#test/postgres.ts";
import { folderOfTest } from "#test/temporary-folder.ts";
import { until } from "#test/until.ts";
import { type Db, migrate, openDb, openPool, openReadPool, readStatement } from "./db.ts";

const { database } = await databaseOfFile(createEmptyDatabase());
const pools: ReturnType<typeof openPool>[] = [];
const open = () => {
  const pool = openPool(database.connection, () => {}, 2, { timeLimitFactor: 20 });
  pools.push(pool);
  return pool;
};
afterAll(() => Promise.all(pools.map((pool) => pool.end())));

test("five nodes that migrate an empty database at once all find it migrated [I10]", async () => {
  await Promise.all(Array.from({ length: 5 }, () => migrate(open())));
  const { rows } = await open().query("select name from drizzle.__drizzle_migrations");
  const folders = await readdir(new URL("./migrations/", import.meta.url));
  expect(rows.map(({ name }) => name).sort()).toEqual(folders.sort());
});

test("a start waits for the lock of migrations only if some are missing, and says who holds it", async () => {
  const { database: empty, pool } = await databaseOfTest(createEmptyDatabase());
  const holder = openPool(empty.connection, () => {}, 1, { application_name: "a deployment" });
  onTestFinished(() => holder.end());
  const client = await holder.connect();
  await client.query("select pg_advisory_lock(7204411)");
  const said: string[] = [];
  const migrated = migrate(pool, { say: (sentence) => said.push(sentence), sayEvery: 100 });
  await until(async () => said.length > 1);
  expect(said[0]).toMatch(
    /^The start waits for the lock of migrations, which a deployment(?: at \S+)?, PostgreSQL's process \d+, connected since \S+ holds\.$/,
  );
  await client.query("select pg_advisory_unlock_all()");
  expect(await migrated).toBeGreaterThan(0);
  await client.query("select pg_advisory_lock(7204411)");
  expect(await migrate(pool)).toBe(0);
  client.release(true);
});

test("a database from before the first release is refused", async () => {
  const { pool } = await databaseOfTest(createEmptyDatabase());
  await pool.query(`create schema drizzle; create table drizzle.__drizzle_migrations (id serial, name text);
    insert into drizzle.__drizzle_migrations (name) values ('20261121110916_initial')`);
  await expect(migrate(pool)).rejects.toThrow(/^The database is from before the first release, .*npm run db:reset/);
  expect((await pool.query("select 1 from pg_tables where schemaname = 'public'")).rowCount).toBe(0);
});

test("a migration that cannot create an extension says what to do", async () => {
  const folder = folderOfTest();
  await mkdir(join(folder, "29991231000000_search"));
  await writeFile(join(folder, "29991231000000_search/migration.sql"), "create extension if not exists not_there;");
  await expect(migrate(open(), { folder })).rejects.toThrow(
    /extensions btree_gist, pg_trgm and unaccent, .* cannot create/,
  );
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
    "purchases_with_subscriptions",
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

test.each(["grants", "grant_ends", "audit_log"])("the database refuses to change or empty %s [Z19]", async (table) => {
  for (const statement of [
    `delete from ${table}`,
    `truncate ${table} cascade`,
    `update ${table} set created_at = now()`,
  ]) {
    await expect(open().query(statement), statement).rejects.toThrow(/append-only/);
  }
});

const one = sql`(values (1)) as one`;
const n = sql`${sql.placeholder("n")}::int`;

function divide(db: Db, by: number) {
  return readStatement(db, "divide", (db, name) =>
    db
      .select({ answer: sql<number>`6000 / ${n}` })
      .from(one)
      .prepare(name),
  ).execute({ n: by });
}

function sleep(db: Db, seconds: number) {
  return readStatement(db, "sleep", (db, name) =>
    db
      .select({ answer: sql<string>`pg_sleep(${n})` })
      .from(one)
      .prepare(name),
  ).execute({ n: seconds });
}

function count(db: Db) {
  return readStatement(db, "count", (db, name) =>
    db.select({ answer: sql<number>`count(*)::int` }).from(sql`counted`).prepare(name),
  ).execute();
}

/** The processes of PostgreSQL whose last statement had this in it. */
async function processesAt(text: string): Promise<number[]> {
  const { rows } = await open().query(
    "select pid from pg_stat_activity where datname = current_database() and strpos(query, $1) > 0",
    [text],
  );
  return rows.map(({ pid }) => pid);
}

test("a hundred concurrent reads each get their own result, and a failing one fails alone", async () => {
  const db = openDb(open());
  const answers = await Promise.allSettled(Array.from({ length: 100 }, (_, n) => divide(db, n)));
  expect(answers[0]).toMatchObject({ status: "rejected", reason: { cause: { code: "22012" } } });
  for (const [n, answer] of [...answers.entries()].slice(1)) {
    expect(answer).toMatchObject({ status: "fulfilled", value: [{ answer: Math.trunc(6000 / n) }] });
  }
});

test("reads are answered while every other connection waits [I06]", async () => {
  const reads = openReadPool(database.connection, () => {}, 4, 20);
  pools.push(reads);
  const pool = open();
  const db = openDb(pool, reads);
  const kept = await Promise.all([pool.connect(), pool.connect()]);
  expect(await divide(db, 6)).toEqual([{ answer: 1000 }]);
  for (const connection of kept) connection.release();
});

test("in a transaction a read sees what the transaction wrote", async () => {
  const db = openDb(open());
  await db.execute(sql`create table counted (n int primary key)`);
  await db.transaction(async (tx) => {
    await tx.execute(sql`insert into counted values (1)`);
    expect(await count(tx)).toEqual([{ answer: 1 }]);
    expect(await count(db)).toEqual([{ answer: 0 }]);
  });
  expect(await count(db)).toEqual([{ answer: 1 }]);
});

test("a lost connection fails its query and is replaced at the next one [I04]", async () => {
  const db = openDb(open());
  const sleeping = [60, 61].map((seconds) => sleep(db, seconds).catch((error) => error));
  const pids = await until(async () => {
    const found = await processesAt("pg_sleep(");
    return found.length === 2 ? found : null;
  });
  for (const pid of pids) await open().query("select pg_terminate_backend($1)", [pid]);
  for (const failed of await Promise.all(sleeping)) expect(failed).toBeInstanceOf(Error);
  expect(await divide(db, 6)).toEqual([{ answer: 1000 }]);
});

test("deadlocked transactions are retried, so that each happens once [I07]", async () => {
  const db = openDb(open());
  await db.execute(sql`create table tills (number int primary key, cents int)`);
  await db.execute(sql`insert into tills values (1, 0), (2, 0)`);
  let holding = 0;
  const { promise: met, resolve: bothHold } = Promise.withResolvers<void>();
  const pay = (first: number, second: number) =>
    db.transaction(async (tx) => {
      await tx.execute(sql`update tills set cents = cents + 1 where number = ${first}`);
      if (++holding === 2) bothHold();
      await met;
      await tx.execute(sql`update tills set cents = cents + 10 where number = ${second}`);
    });
  await Promise.all([pay(1, 2), pay(2, 1)]);
  expect((await open().query("select cents from tills")).rows).toEqual([{ cents: 11 }, { cents: 11 }]);
  // The one that lost began anew; it may lose again before the other has ended.
  expect(holding).toBeGreaterThan(2);
});

test("a statement that lost a race is tried four times [I07]", async () => {
  const db = openDb(open());
  await db.execute(sql`create sequence tries`);
  await db.execute(sql`create function win(at int) returns int language plpgsql as $$
    begin
      if nextval('tries') % at > 0 then raise sqlstate '40001'; end if;
      return at;
    end $$`);
  expect((await open().query("select win(4)")).rows).toEqual([{ win: 4 }]);
  await expect(db.execute(sql`select win(1000)`)).rejects.toMatchObject({ cause: { code: "40001" } });
  expect((await open().query("select last_value::int from tries")).rows).toEqual([{ last_value: 8 }]);
});
