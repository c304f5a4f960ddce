import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { addressOf, openAcademy } from "#test/academy.ts";
import { operate } from "#test/operate.ts";
import { cloneDatabase } from "#test/postgres.ts";
import { samples, upload } from "#test/uploads/uploads.ts";

const reset = (env: Record<string, string>, ...args: string[]) => operate(["db:reset", ...args], env);

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "academy-reset-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  return folder;
}

// Two first starts and four commands each: on a machine that is busy with other things that takes minutes.
for (const where of ["embedded database", "database of DATABASE_URL"] as const) {
  test(`a demo on the ${where} is emptied and seeded anew, and its gateway agrees with it`, async () => {
    const folder = await temporaryFolder();
    const isEmbedded = where === "embedded database";
    const change = { DATA_DIR: folder, ...(isEmbedded && { DATABASE_URL: "" }) };
    await using academy = await openAcademy(change);
    const env = { DATABASE_URL: addressOf(academy.database), ...change };
    const seeded = await academy.ledger();
    const student = await academy.visitor().signUp();
    await student.call(acceptPayment, { body: await student.paymentFor("basic") });
    const admin = await academy.visitor().signInAsDemo("admin@academy.test");
    await upload(admin, [{ name: "plan.pdf", content: samples.pdf }], { requiredTier: "basic" });
    const files = await readdir(join(folder, "files", "resources"));

    expect(await reset(env, "--yes")).toMatchObject({
      code: 1,
      failed: expect.stringMatching(/^DATA_DIR .* is in use by another academy/),
    });
    if (!isEmbedded) {
      const elsewhere = { ...env, DATA_DIR: await temporaryFolder() };
      expect((await reset(elsewhere, "--yes")).failed).toBe(
        "An academy runs on the database of DATABASE_URL: stop it first.",
      );
    }
    await academy.stop();
    const unasked = await reset(env);
    expect(unasked).toMatchObject({ code: 1, failed: expect.stringMatching(/^Nothing was removed, .*--yes/) });
    expect(await readdir(join(folder, "files", "resources"))).toEqual(files);

    const done = await reset(env, "--yes");
    expect({ code: done.code, failed: done.failed }).toEqual({ code: 0, failed: "" });
    const lines = done.said.split("\n");
    expect(lines[1]).toMatch(isEmbedded ? /postgres: \d+ rows/ : /^ {2}DATABASE_URL: \d+ rows/);
    expect(lines[2]).toBe(`  ${folder}/files: ${files.length} files`);
    expect(lines[3]).toContain(`${folder}/sandbox: the gateway's ledger`);
    expect(lines.at(-1)).toMatch(/^Removed\./);
    expect(existsSync(join(folder, "sandbox"))).toBe(false);
    expect(await readdir(join(folder, "files", "resources"))).toEqual([]);
    if (isEmbedded) expect((await reset(env)).said).toBe("There was nothing to remove.");

    await academy.start();
    expect((await academy.ledger()).map(({ amount }) => amount)).toEqual(seeded.map(({ amount }) => amount));
    await academy.visitor().signInAsDemo("basic@academy.test");
    expect(await readdir(join(folder, "files", "resources"))).toHaveLength(files.length - 1);
  }, 300_000);
}

test("production is refused: by its mode, and by whose database it is", async () => {
  const env = { DATA_DIR: await temporaryFolder() };
  expect(await reset({ ...env, MODE: "production" }, "--yes")).toMatchObject({
    code: 1,
    failed: "MODE is production: db:reset removes everything, and does so for demos alone.",
  });
  const database = await cloneDatabase();
  onTestFinished(database.drop);
  const client = new pg.Client(database.connection);
  await client.connect();
  await client.query("insert into settings (name, value, updated_at) values ('mode', '\"production\"', now())");
  const refused = await reset({ ...env, DATABASE_URL: addressOf(database) }, "--yes");
  expect(refused).toMatchObject({ code: 1, failed: expect.stringMatching(/^The database is a production academy's/) });
  expect((await client.query("select value from settings")).rows).toEqual([{ value: "production" }]);
  await client.end();
});

test("a reset includes a sandbox in another process", async () => {
  const refused = await reset({ DATA_DIR: await temporaryFolder(), SANDBOX_URL: "http://localhost:1" }, "--yes");
  expect(refused).toMatchObject({ code: 1, failed: expect.stringMatching(/keeps a ledger of its own/) });
});

test("unknown arguments are refused with the usage", async () => {
  const refused = await reset({}, "--force");
  expect(refused).toEqual({
    code: 2,
    said: "",
    failed: "db:reset does not know --force. Usage: npm run db:reset -- [--yes]",
  });
});
