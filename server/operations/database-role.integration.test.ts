import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { updateProfile } from "#contract/profile.ts";
import { readConfig } from "#server/context/config.ts";
import { migrateAsOwner } from "#server/operations/migrate.ts";
import { sentenceFor } from "#server/process/sentence-for.ts";
import { addressOf } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { databaseOfFile, databaseOfTest } from "#test/fixtures.ts";
import { operate } from "#test/operate.ts";
import { createEmptyDatabase, type TestDatabase } from "#test/postgres.ts";

const role = `academy_app_${randomBytes(6).toString("hex")}`;
const { database, pool } = await databaseOfFile(createEmptyDatabase());
const asOwner = async (statement: string) => (await pool.query(statement)).rows;
await asOwner(`create role ${role} login password 'a-password-of-its-own'`);
afterAll(() => asOwner(`drop owned by ${role}; drop role ${role}`));
const owner = addressOf(database);
const env = {
  DATABASE_URL: owner.replace(/^(postgres(?:ql)?:\/\/)[^@]*@/, `$1${role}:a-password-of-its-own@`),
  MIGRATION_DATABASE_URL: owner,
};

test("before the owner's migration the server's role refuses to start, with one sentence [D07]", async () => {
  await expect(openAcademyInProcess({ DATABASE_URL: env.DATABASE_URL }, database)).rejects.toThrow(
    /^The database is not up to date, and the role of DATABASE_URL may not change it: run npm run db:migrate\.$/,
  );
});

/** Fails with the sentence with which the server's program ends. */
async function startOn(DATABASE_URL: string, database: TestDatabase): Promise<void> {
  const starting = openAcademyInProcess({ DATABASE_URL }, database);
  await using _academy = await starting.catch((error) => {
    throw new Error(sentenceFor(error, { isCommand: false }) ?? String(error));
  });
}

test("a role without rights to the tables refuses to start, with one sentence", async () => {
  const { database: migrated } = await databaseOfTest();
  const address = new URL(env.DATABASE_URL);
  address.pathname = `/${migrated.name}`;
  await expect(startOn(address.href, migrated)).rejects.toThrow(
    /^The role of DATABASE_URL may not use the academy's tables \(.*\): run npm run db:migrate\.$/,
  );
});

test("the academy sells and teaches as a role that cannot change its schema or its audit log [D07]", async () => {
  const { code, said } = await operate(["db:migrate"], env);
  expect(said).toMatch(
    new RegExp(`^\\d+ migrations were applied\\.\n${role} may read and write rows, and nothing else\\.$`),
  );
  expect(code).toBe(0);
  expect(await migrateAsOwner(readConfig(env), () => {})).toEqual({ applied: 0, role });

  await using academy = await openAcademyInProcess({ DATABASE_URL: env.DATABASE_URL }, database);
  const student = await academy.buyer("basic");
  const profile = { firstName: "Jo", lastName: "Vendor", phone: "", location: "", bio: "as a humble role" };
  expect((await student.call(updateProfile, { body: profile })).status).toBe(200);
  await academy.advance("31d");
  await academy.stop();
  await academy.start();
  expect(academy.log.filter((line) => line.includes("permission denied"))).toEqual([]);
  await academy.stop();

  await asOwner(`alter role ${role} connection limit 2`);
  await expect(startOn(env.DATABASE_URL, database)).rejects.toThrow(
    /^The database cannot be used\. PostgreSQL has no free connection \(too many connections for role .*\.$/s,
  );
  await asOwner(`alter role ${role} connection limit -1`);

  const client = new pg.Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  const refused = [
    "drop table users",
    "alter table users add column extra text",
    "truncate users",
    "create table public.of_my_own (n int)",
    "create table issuer.of_my_own (n int)",
    "create schema of_my_own",
    "alter table audit_log disable trigger append_only",
    "update audit_log set action = 'nothing'",
    "delete from audit_log",
    "delete from grants",
    "update grant_ends set reason = 'refund'",
    "insert into drizzle.__drizzle_migrations (hash, created_at, name) values ('', 0, '')",
    "drop trigger append_only on grants",
  ];
  for (const statement of refused) {
    const failure = await client.query(statement).then(
      () => null,
      (error) => error.code,
    );
    expect(failure, statement).toBe("42501");
  }
  expect((await client.query("select count(*)::int as count from audit_log")).rows[0].count).toBeGreaterThan(0);
  await client.end();
});

test("the server's role gets no rights in schemas that somebody else keeps in the database [D07]", async () => {
  await asOwner("create schema host; create table host.jobs (command text)");
  await migrateAsOwner(readConfig(env), () => {});
  const rights = `has_schema_privilege('${role}', 'host', 'usage') as uses, has_table_privilege('${role}', 'host.jobs', 'insert') as writes`;
  expect(await asOwner(`select ${rights}`)).toEqual([{ uses: false, writes: false }]);
});
