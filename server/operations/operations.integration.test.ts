import { copyFileSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import sharp from "sharp";
import { expect } from "vitest";
import { getMoney } from "#contract/admin/statistics.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { updateProfile, uploadProfileImage } from "#contract/profile.ts";
import { readConfig } from "#server/context/config.ts";
import { archiveIn, readArchive, writeArchive } from "#server/operations/archive.ts";
import { backUp } from "#server/operations/backup.ts";
import { OperationRefused } from "#server/operations/connect-database.ts";
import { restore } from "#server/operations/restore.ts";
import { addressOf } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { academyOfFile, databaseOfTest } from "#test/fixtures.ts";
import { environmentOf, operate } from "#test/operate.ts";
import { createEmptyDatabase, openTestPool, type TestDatabase } from "#test/postgres.ts";
import { openObjectStore, storeEnv } from "#test/stand-ins/object-store.ts";
import { folderOfFile } from "#test/temporary-folder.ts";
import { until } from "#test/until.ts";
import { samples, upload } from "#test/uploads/uploads.ts";

const folder = folderOfFile();
const file = join(folder, "backups", "academy.tar");
const restored = join(folder, "restored");

const { academy, administrator: admin, test } = await academyOfFile();
/** Of the uploaded resource and of the picture. */
const addresses: string[] = [];
const profile = { firstName: "Jo", lastName: "Vendor", phone: "", location: "" };

await academy.advance("1h");
await admin.signInAgain();
const student = await academy.buyer("basic");
const [resource] = await upload(admin, [{ name: "plan.pdf", content: samples.pdf }], { requiredTier: "basic" });
const picture = new FormData();
const red = sharp({ create: { width: 40, height: 40, channels: 3, background: "#c81e1e" } });
picture.set("profileImage", new Blob([new Uint8Array(await red.png().toBuffer())], { type: "image/png" }), "me.png");
const shown = (await (await student.send("POST", uploadProfileImage.path, picture)).json()) as Record<string, string>;
addresses.push(resource?.fileUrl ?? "", shown.profileImageUrl ?? "");

/** What every table holds, by this test's own reckoning. */
async function hashesOf({ connection }: TestDatabase): Promise<unknown[]> {
  const client = openTestPool(connection, 1);
  // Triggers count the version of what pages say anew.
  const { rows: tables } = await client.query<{ name: string }>(
    `select schemaname || '.' || tablename as name from pg_tables
      where schemaname in ('public', 'issuer') and tablename <> 'content_version' order by 1`,
  );
  const hashes: unknown[] = [];
  for (const { name } of tables) {
    // A restore leaves its marks there.
    const where =
      name === "public.operational_marks" ? "where name not in ('renewals-stopped:restored', 'team-restored')" : "";
    const rows = `select string_agg(md5(t::text), '' order by md5(t::text)) from ${name} t ${where}`;
    hashes.push(
      (await client.query(`select '${name}' as name, count(*), md5((${rows})) from ${name} ${where}`)).rows[0],
    );
  }
  const sequences = await client.query("select from pg_sequences where schemaname in ('public', 'issuer')");
  await client.end();
  expect(sequences.rowCount, "a backup does not hold the numbers of sequences").toBe(0);
  return hashes;
}

test("a backup of a running academy restores sign-ins, files, subscriptions, money and the clock [I12]", async () => {
  let acknowledged = 0;
  let writing = true;
  const writer = (async () => {
    for (let n = 1; writing; n++) {
      const answer = await student.call(updateProfile, { body: { ...profile, bio: `note ${n}` } });
      if (answer.status === 200) acknowledged = n;
    }
  })();
  await until(async () => acknowledged >= 3);
  const before = acknowledged;
  await academy.pool.query("create table users_before as select id from users");
  const backup = await operate(["backup", file], environmentOf(academy));
  await academy.pool.query("drop table users_before");
  writing = false;
  await writer;
  expect(backup.failed).toBe("");
  expect(backup.said).toMatch(/^\/.*academy\.tar: [\d.]+ MB, \d+ rows, 7 files, and the keys: keep it as secret/);
  expect(backup.code).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await readdir(join(folder, "backups"))).toEqual(["academy.tar"]);

  const restoring = await operate(["restore", file], { DATA_DIR: restored });
  expect(restoring.failed).toBe("");
  expect(restoring.said).toMatch(/^Restored and compared: \d+ rows/);
  expect(restoring.said).toContain("Left out, as they are not the academy's: public.users_before.");
  expect(restoring.said).toContain("  owner: admin@academy.test (by ADMIN_EMAILS)");
  expect(restoring.said).toContain("  support: helpdesk@academy.test (by the backup)");
  await using second = await openAcademyInProcess({ DATA_DIR: restored, DATABASE_URL: "" });
  const same = student.copyAt(second);
  const me = (await same.call(getCurrentUser)).body;
  expect(me).toMatchObject({ email: student.email, purchasedTier: "basic" });
  expect(Number(/\d+/.exec(me.bio ?? "0")?.[0])).toBeGreaterThanOrEqual(before);
  for (const address of addresses) {
    const [was, is] = await Promise.all([student.send("GET", address), same.send("GET", address)]);
    expect(is.status, address).toBe(200);
    expect(Buffer.from(await is.arrayBuffer()).equals(Buffer.from(await was.arrayBuffer()))).toBe(true);
  }
  expect(await same.purchases()).toEqual(await student.purchases());
  const money = (await admin.call(getMoney)).body;
  const { from, to } = money;
  expect((await admin.copyAt(second).call(getMoney, { query: { from, to } })).body).toEqual(money);
  expect((await second.ledger()).length).toBe((await academy.ledger()).length);
  // Within the hour that the clock was moved.
  expect(Math.abs((await second.now()) - (await academy.now()))).toBeLessThan(30 * 60_000);

  // The embedded database, too, is backed up while its academy runs, and never overwritten.
  const config = readConfig({ DATA_DIR: restored });
  const running = await backUp(config, null, "1.2.3");
  expect(running.missing).toEqual([]);
  await expect(restore(config, file)).rejects.toThrow(/^DATA_DIR .* is in use by another academy/);
  await second.stop();
  const resting = await backUp(config, join(folder, "resting.tar"), "1.2.3");
  expect(resting.tables.map(({ name }) => name)).toEqual(running.tables.map(({ name }) => name));
  await expect(restore(config, file)).rejects.toThrow(/has a database already\. Restore into an empty location: /);
});

test("every row and file is hash-equal in an object store and a database that others use too [I12]", async () => {
  await academy.stop();
  const { database, pool } = await databaseOfTest(createEmptyDatabase());
  // As hosts of databases have, before an academy comes and beside it.
  const ofHost = "create schema host; create table host.jobs as select 1 as id";
  await pool.query(ofHost);
  await academy.pool.query(ofHost);
  await using store = await openObjectStore();
  const target = { DATA_DIR: join(folder, "elsewhere"), DATABASE_URL: addressOf(database), ...storeEnv(store) };
  const backup = await backUp(readConfig(environmentOf(academy)), join(folder, "rest.tar"), "1.2.3");
  expect(backup.tables.length).toBeGreaterThan(20);
  expect(backup.tables.map(({ name }) => name)).not.toContain("host.jobs");
  // What an interrupted restore leaves: files and keys, and no rows.
  await mkdir(join(folder, "elsewhere", "secrets"), { recursive: true });
  copyFileSync(join(academy.dataDir, "secrets", "session"), join(folder, "elsewhere", "secrets", "session"));
  await restore(readConfig(target), backup.path);
  expect(await hashesOf(database)).toEqual(await hashesOf(academy.database));
  const again = await backUp(readConfig(target), join(folder, "again.tar"), "1.2.3");
  const stored = (one: typeof again) => one.files.filter(({ name }) => name.startsWith("files/"));
  expect(stored(again)).toEqual(stored(backup));
  expect(stored(again).length).toBe(7);
  await expect(restore(readConfig(target), backup.path)).rejects.toThrow(
    /^The database is not empty: there are rows in /,
  );

  // Neither the store of the academy that was just restored nor one that holds somebody's files is written to.
  const { database: empty } = await databaseOfTest(createEmptyDatabase());
  const third = { DATA_DIR: join(folder, "third"), DATABASE_URL: addressOf(empty) };
  await expect(restore(readConfig({ ...third, ...storeEnv(store) }), backup.path)).rejects.toThrow(
    /^The files in .* belong to an academy\. Restore into an empty store; /,
  );
  const theirs = join(folder, "third", "files", "resources");
  await mkdir(theirs, { recursive: true });
  writeFileSync(join(theirs, "theirs.pdf"), "x");
  await expect(restore(readConfig(third), backup.path)).rejects.toThrow(
    /^There are files in .* already\. Restore into /,
  );
  expect(await readdir(theirs)).toEqual(["theirs.pdf"]);
});

test("damaged, truncated and foreign backups are refused in one sentence without a change", async () => {
  const config = readConfig({ DATA_DIR: join(folder, "untouched") });
  const refused = async (spoil: (path: string) => void, words: RegExp) => {
    const path = join(folder, "spoilt.tar");
    copyFileSync(file, path);
    spoil(path);
    await expect(restore(config, path)).rejects.toThrow(words);
  };
  const whole = readFileSync(file);
  await refused((path) => {
    const spoilt = Buffer.from(whole);
    spoilt[600] = (spoilt[600] ?? 0) ^ 1;
    writeFileSync(path, spoilt);
  }, /is damaged: rows\/\S+ is not what was written\. Nothing was restored/);
  await refused((path) => truncateSync(path, Math.floor(whole.length / 2)), /is damaged: /);
  await refused((path) => truncateSync(path, whole.length - 1024), /is damaged: it is no archive, or not a whole one/);
  await refused(
    (path) => writeFileSync(path, "not a backup at all"),
    /is damaged: it is no archive, or not a whole one/,
  );
  await expect(restore(config, join(folder, "none.tar"))).rejects.toThrow(/^There is no file /);

  await expect(backUp(config, null, "1.2.3")).rejects.toThrow(/^There is no database in /);
  await expect(backUp(readConfig(environmentOf(academy)), join(file, "none.tar"), "1.2.3")).rejects.toThrow(
    /^This account cannot write to \S+academy\.tar\.$/,
  );
  await expect(backUp(readConfig(environmentOf(academy)), file, "1.2.3")).rejects.toThrow(
    /exists already: name another file\.$/,
  );
  expect(readFileSync(file).equals(whole)).toBe(true);
});

test("crafted backups, and those of newer and of too old academies, are refused in one sentence", async () => {
  const { path: sound } = await backUp(readConfig(environmentOf(academy)), join(folder, "to-be-changed.tar"), "1.2.3");
  const crafted = join(folder, "crafted.tar");
  const craft = async (change: (files: Map<string, Buffer>, manifest: Record<string, unknown>) => void) => {
    const files = new Map<string, Buffer>();
    for await (const { name, content } of readArchive(archiveIn(sound))) files.set(name, await buffer(content));
    const manifest = JSON.parse(String(files.get("manifest.json")));
    files.delete("manifest.json");
    change(files, manifest);
    rmSync(crafted, { force: true });
    await writeArchive(crafted, async (add) => {
      const packed: unknown[] = [];
      for (const [name, content] of files) packed.push(await add(name, content));
      await add("manifest.json", Buffer.from(JSON.stringify({ ...manifest, files: packed })));
    });
  };
  let tried = 0;
  const { database: unread } = await databaseOfTest(createEmptyDatabase());
  const migrated = async () => (await databaseOfTest()).database;
  const refused = async (words: RegExp, database = unread) => {
    const target = { DATA_DIR: join(folder, `crafted-${++tried}`), DATABASE_URL: addressOf(database) };
    const elsewhere = readConfig(target);
    const error = await restore(elsewhere, crafted).catch((error: Error) => error);
    expect(error).toBeInstanceOf(OperationRefused);
    expect((error as Error).message).toMatch(words);
  };
  for (const name of ["secrets/..", "secrets/../../leaves", "files/../../leaves", "files/resources/x", "leaves"]) {
    await craft((files) => files.set(name, Buffer.from("x")));
    await refused(/crafted\.tar is damaged: it holds "\S+", which no backup has\. Nothing was restored/);
  }
  await craft((_files, { migrations }) => (migrations as string[]).reverse());
  await refused(/is damaged: its migrations are in an order that no release has\. Nothing was restored/);
  await craft((_files, { migrations }) => void (migrations as string[]).splice(1, 1));
  await refused(/crafted\.tar is damaged: .+\. No row is in force/);
  for (const [migration, words] of [
    ["29990101000000_what_is_to_come", /^The backup was made by a newer academy/],
    ["20261121110916_initial", /^The backup is from before the first release, which cannot restore it\.$/],
  ] as const) {
    await craft((_files, manifest) => {
      manifest.migrations = [...(manifest.migrations as string[]), migration].toSorted();
    });
    await refused(words);
    expect(existsSync(join(folder, `crafted-${tried}`)), migration).toBe(false);
  }
  const rows = "rows/public.users.000001.json.gz";
  await craft((files) => files.set(rows, Buffer.from("no gzip")));
  await refused(new RegExp(`is damaged: ${rows} cannot be decompressed\\. No row is in force`), await migrated());
  await craft((files) => files.set(rows, gzipSync('[{"created_at": "never"}]')));
  await refused(new RegExp(`is damaged: ${rows} holds rows that do not fit\\. No row is in force`), await migrated());
});

test("a backup that fails leaves no file", async () => {
  const path = join(folder, "backups", "broken.tar");
  const breaking = writeArchive(path, async (add) => {
    await add("rows/a", Buffer.from("something"));
    async function* fails() {
      yield Buffer.from("some");
      throw new Error("the store is gone");
    }
    await add("files/b", { size: 100, stream: fails() });
  });
  await expect(breaking).rejects.toThrow("the store is gone");
  expect(await readdir(join(folder, "backups"))).toEqual(["academy.tar"]);
});
