import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { readConfig } from "#server/context/config.ts";
import { migrate } from "#server/db/db.ts";
import { startEmbeddedPostgres } from "#server/db/embedded.ts";
import { resetDemo } from "#server/operations/reset.ts";
import { addressOf } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { databaseOfTest } from "#test/fixtures.ts";
import { environmentOf, operate, operateAsProgram } from "#test/operate.ts";
import { openTestPool } from "#test/postgres.ts";
import { folderOfTest } from "#test/temporary-folder.ts";
import { until } from "#test/until.ts";
import { samples, upload } from "#test/uploads/uploads.ts";

const reset = (env: Record<string, string>, ...args: string[]) => operate(["db:reset", ...args], env);

/** The same without a process of its own. It agrees to everything. */
function resetDirectly(env: Record<string, string>): Promise<boolean> {
  return resetDemo(readConfig(env), { name: null, empty: async () => {} }, async () => true);
}

test("a demo is emptied and seeded anew, and its gateway agrees with it", async () => {
  await using academy = await openAcademyInProcess();
  const folder = academy.dataDir;
  const env = environmentOf(academy);
  // A copy's files are not its own.
  await operate(["adopt-files"], env);
  const seeded = await academy.ledger();
  await academy.buyer("basic");
  const admin = await academy.visitor().signInAsDemo("admin@academy.test");
  await upload(admin, [{ name: "plan.pdf", content: samples.pdf }], { requiredTier: "basic" });
  const files = await readdir(join(folder, "files", "resources"));

  expect(await reset(env, "--yes")).toMatchObject({
    code: 1,
    failed: expect.stringMatching(/^DATA_DIR .* is in use by another academy/),
  });
  await expect(resetDirectly({ ...env, DATA_DIR: folderOfTest() })).rejects.toThrow(
    "An academy runs on the database of DATABASE_URL: stop it first.",
  );
  await academy.stop();
  // A connection of the stopped academy that the database ends later.
  const last = new pg.Client({ ...academy.database.connection, application_name: "academy" });
  await last.connect();
  const unasked = reset(env);
  const asking =
    "select from pg_stat_activity where datname = current_database() and application_name = 'academy db:reset'";
  await until(async () => (await last.query(asking)).rowCount);
  await last.end();
  expect(await unasked).toMatchObject({ code: 1, failed: expect.stringMatching(/^Nothing was changed, .*--yes/) });
  expect(await readdir(join(folder, "files", "resources"))).toEqual(files);

  const done = await reset(env, "--yes");
  expect({ code: done.code, failed: done.failed }).toEqual({ code: 0, failed: "" });
  const lines = done.said.split("\n");
  expect(lines[1]).toMatch(/^ {2}DATABASE_URL: \d+ rows/);
  expect(lines[2]).toBe(`  ${folder}/files: ${files.length} files`);
  expect(lines[3]).toContain(`${folder}/sandbox: the gateway's ledger`);
  expect(lines.at(-1)).toMatch(/^Removed\./);
  expect(existsSync(join(folder, "sandbox"))).toBe(false);
  expect(await readdir(join(folder, "files", "resources"))).toEqual([]);

  await academy.start();
  expect((await academy.ledger()).map(({ amount }) => amount)).toEqual(seeded.map(({ amount }) => amount));
  await academy.visitor().signInAsDemo("basic@academy.test");
  expect(await readdir(join(folder, "files", "resources"))).toHaveLength(files.length - 1);
});

test("an embedded database is removed, and then there is nothing to remove", async () => {
  const folder = folderOfTest();
  const { connection, stop } = await startEmbeddedPostgres(folder);
  const pool = openTestPool(connection, 1);
  await migrate(pool);
  await pool.query("insert into operational_marks (name, value, updated_at) values ('mode', '\"demo\"', now())");
  await pool.end();
  await stop();
  const done = await reset({ DATA_DIR: folder }, "--yes");
  expect({ code: done.code, failed: done.failed }).toEqual({ code: 0, failed: "" });
  expect(done.said).toMatch(/postgres: \d+ rows/);
  expect(existsSync(join(folder, "postgres"))).toBe(false);
  expect((await reset({ DATA_DIR: folder })).said).toBe("There was nothing to remove.");
});

test("production is refused: by its mode, and by whose database it is", async () => {
  const env = { DATA_DIR: folderOfTest() };
  expect(await reset({ ...env, MODE: "production" }, "--yes")).toMatchObject({
    code: 1,
    failed: "MODE is production: db:reset removes everything, and does so for demos alone.",
  });
  const { database, pool } = await databaseOfTest();
  await pool.query("insert into operational_marks (name, value, updated_at) values ('mode', '\"production\"', now())");
  const refused = resetDirectly({ ...env, DATABASE_URL: addressOf(database) });
  await expect(refused).rejects.toThrow(/^The database is a production academy's/);
  expect((await pool.query("select value from operational_marks")).rows).toEqual([{ value: "production" }]);
  // Before the first release, settings had the mode.
  await pool.query(`insert into settings select * from operational_marks; drop table operational_marks`);
  await expect(resetDirectly({ ...env, DATABASE_URL: addressOf(database) })).rejects.toThrow(/production academy's/);
});

test("a reset includes a sandbox in another process", async () => {
  const refused = await reset({ DATA_DIR: folderOfTest(), SANDBOX_URL: "http://localhost:1" }, "--yes");
  expect(refused).toMatchObject({ code: 1, failed: expect.stringMatching(/keeps a ledger of its own/) });
});

test("unknown arguments are refused with the usage", async () => {
  const refused = await operateAsProgram(["db:reset", "--force"], {});
  expect(refused).toEqual({
    code: 2,
    said: "",
    failed: "db:reset does not know --force. Usage: npm run db:reset -- [--yes]",
  });
});
