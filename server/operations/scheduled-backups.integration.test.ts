import { utimesSync, writeFileSync } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { expect } from "vitest";
import { readConfig } from "#server/context/config.ts";
import { openDb } from "#server/db/db.ts";
import { openStorage } from "#server/storage/open.ts";
import { addressOf, type RunningAcademy } from "#test/academy.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";
import { decryptFile } from "#test/decrypt-file.ts";
import { academyOfFile, databaseOfTest } from "#test/fixtures.ts";
import { freePort } from "#test/free-port.ts";
import { figureOf } from "#test/metrics.ts";
import { environmentOf, findingOn } from "#test/operate.ts";
import { openObjectStore, storeEnv } from "#test/stand-ins/object-store.ts";
import { folderOfFile, folderOfTest } from "#test/temporary-folder.ts";
import { until } from "#test/until.ts";
import { archiveIn } from "./archive.ts";
import { backUpOnce } from "./backup-destinations.ts";
import { checkBackup } from "./doctor/files.ts";
import { restore } from "./restore.ts";
import { type BackupNote, findBackupFailure, findBackupNote } from "./scheduled-backups.ts";
import { verifyBackup } from "./verify-backup.ts";

const folder = folderOfFile();
const identity = await generateX25519Identity();
const env = {
  BACKUP_EVERY: "6h",
  BACKUP_KEEP: "1",
  BACKUP_TO: folder,
  BACKUP_RECIPIENT: await identityToRecipient(identity),
};
const leftovers = [
  "academy-2026-01-01T00-00-00Z.tar.unfinished-0123456789abcdefghjk",
  "mine.tar.unfinished-0123456789abcdefghjk",
];
for (const name of leftovers) {
  writeFileSync(join(folder, name), "half");
  utimesSync(join(folder, name), 0, 0);
}

const { test } = await academyOfFile(env);

const noteOf = ({ pool }: RunningAcademy) => findBackupNote(openDb(pool as Parameters<typeof openDb>[0]));

/** The first backup, once it is verified. */
function verifiedOf(academy: AcademyInProcess): Promise<BackupNote> {
  return until(async () => {
    const note = await noteOf(academy);
    return note?.verifiedAt ? note : undefined;
  });
}

/** Makes the last backup or its verification look as old as 2020. */
function age({ pool }: AcademyInProcess, field: "madeAt" | "verifiedAt") {
  return pool.query(
    `update operational_marks set value = jsonb_set(value::jsonb, '{${field}}', '"2020-01-01T00:00:00Z"') where name = 'backups'`,
  );
}

const backupsIn = async () => (await readdir(folder)).filter((name) => name.endsWith(".age")).sort();

test("scheduled backups are encrypted, the newest is verified, and the last few are kept [I12]", async ({
  academy,
  student,
}) => {
  const first = await verifiedOf(academy);
  expect(first.verifiedName).toBe(first.name);
  expect(await readdir(folder)).toEqual(expect.arrayContaining([first.name, leftovers[1]]));
  expect(await readdir(folder)).not.toContain(leftovers[0]);
  expect(await readdir(academy.dataDir)).not.toContain("verifying");
  expect((await stat(join(folder, first.name))).mode & 0o777).toBe(0o600);

  for (let times = 0; times < 2; times++) await academy.advance("6h");
  const last = (await noteOf(academy))?.name ?? "";
  expect(await backupsIn()).toEqual([first.name, last]);
  expect(await figureOf(academy, "academy_backup_every_seconds")).toBe(6 * 3600);
  expect(await figureOf(academy, "academy_backup_age_seconds")).toBeLessThan(6 * 3600);

  // Nobody but the key's owner reads it.
  const path = join(folder, last);
  expect((await readFile(path)).subarray(0, 21).toString()).toBe("age-encryption.org/v1");
  const { database, pool } = await databaseOfTest();
  const restored = { DATA_DIR: join(folder, "restored"), DATABASE_URL: addressOf(database) };
  await expect(restore(readConfig(restored), path)).rejects.toThrow(/ is encrypted: decrypt it where its key is /);
  await expect(verifyBackup(academy.dataDir, archiveIn(path))).rejects.toThrow("it is no archive");
  const opened = join(folder, "opened.tar");
  await decryptFile(identity, path, opened);
  await restore(readConfig(restored), opened);
  // `operations.integration.test.ts` starts a restored academy.
  expect((await pool.query("select from users where email = $1", [student.email])).rowCount).toBe(1);
});

test("old backups are deleted although the newest cannot be restored, which is logged", async ({ academy }) => {
  const { verifiedName } = await verifiedOf(academy);
  // An operator's own, which no migration makes.
  await academy.pool.query("alter table users add column remark text");
  await age(academy, "verifiedAt");
  // As an academy leaves it that was killed while it verified a backup.
  const scratch = join(academy.dataDir, "verifying");
  await mkdir(join(scratch, "postgres"), { recursive: true });
  await writeFile(join(scratch, "postgres", "PG_VERSION"), "12\n");
  await academy.advance("6h");
  expect(await readdir(academy.dataDir)).not.toContain("verifying");
  const last = await noteOf(academy);
  expect(last?.verifiedName).toBe(verifiedName);
  expect(await backupsIn()).toEqual([verifiedName, last?.name]);
  expect(
    academy.log.filter((line) => /"back-up".*public\.users came back.*the newest backup cannot be restored/.test(line)),
  ).toHaveLength(1);
  expect((await academy.pool.query("select from jobs where name = 'back-up' and attempts > 0")).rows).toEqual([]);
});

test("metrics and the doctor tell how old the last backup is, and that none was verified", async ({ academy }) => {
  await age(academy, "madeAt");
  expect(await figureOf(academy, "academy_backup_age_seconds")).toBeGreaterThan(1.5 * 6 * 3600);
  await academy.pool.query("delete from operational_marks where name = 'backups'");
  expect(await figureOf(academy, "academy_backup_verified_age_seconds")).toBe(Number.POSITIVE_INFINITY);
  const found = await findingOn("Backup", { ...env, ...environmentOf(academy) });
  expect(found?.detail).toMatch(/^the last one is of \S+; none was verified$/);
});

test("backups are kept in the object store, old ones are deleted, and a failure is reported until one succeeds", async () => {
  const kept = { port: await freePort(), directory: folderOfTest() };
  const store = await openObjectStore(kept);
  const stored = { BACKUP_EVERY: "1d", BACKUP_KEEP: "1", BACKUP_TO: "object-store", ...storeEnv(store) };
  await using academy = await openAcademyInProcess(stored);
  const storage = await openStorage(store, "", folderOfTest());
  const keys = async () => {
    const found: string[] = [];
    for await (const { key } of storage.list("backups")) found.push(key);
    return found;
  };
  const first = await verifiedOf(academy);
  const keyOfFirst = `backups/${first.name.toLowerCase().replaceAll(".", "-")}`;
  expect(await keys()).toEqual([keyOfFirst]);
  const outgoing = join(academy.dataDir, "outgoing-backups");
  await writeFile(join(outgoing, "academy-2026-01-01T00-00-00Z.tar"), "whole, but its process was killed on the way");
  await academy.advance("1d");
  const second = (await keys()).filter((key) => key !== keyOfFirst);
  expect(second).toHaveLength(1);
  await academy.advance("1d");
  // The verified one, and the newest.
  expect(await keys()).toHaveLength(2);
  expect(await keys()).toContain(keyOfFirst);
  expect(await keys()).not.toContain(second[0]);
  expect(await readdir(outgoing)).toEqual([]);

  const config = readConfig({ ...stored, ...environmentOf(academy) });
  const { path } = await backUpOnce(config, null, "1.2.3", new AbortController().signal);
  expect(path).toMatch(/^backups\/academy-/);
  expect(await keys()).toContain(path);
  expect(await readdir(academy.dataDir)).not.toContain("outgoing-backup");

  const { madeAt = "" } = (await noteOf(academy)) ?? {};
  await store[Symbol.asyncDispose]();
  await academy.advance("1d");
  expect(await figureOf(academy, "academy_backup_failed")).toBe(1);
  const scheduled = await noteOf(academy);
  const failure = await findBackupFailure(openDb(academy.pool as Parameters<typeof openDb>[0]));
  expect(scheduled?.madeAt).toBe(madeAt);
  await expect(checkBackup(config, { isNew: false, scheduled, failure })).rejects.toThrow(
    new RegExp(`^the last one is of ${madeAt.slice(0, 10)}.*; the one of ${failure?.failedAt} failed: The file store`),
  );
  await using _again = await openObjectStore(kept);
  await academy.advance("1d");
  expect(await figureOf(academy, "academy_backup_failed")).toBe(0);
  expect((await noteOf(academy))?.madeAt).not.toBe(madeAt);
});

test("an academy with an unwritable backup folder or a wrong recipient does not start", async () => {
  const none = join(folder, "not-mounted");
  await expect(openAcademyInProcess({ BACKUP_EVERY: "1d", BACKUP_TO: none })).rejects.toThrow(
    `BACKUP_TO ${none} is no folder that the academy may write: make it, or mount it.`,
  );
  await expect(openAcademyInProcess({ BACKUP_EVERY: "1d", BACKUP_RECIPIENT: `age1${"q".repeat(58)}` })).rejects.toThrow(
    /^BACKUP_RECIPIENT is not the public key of an age key pair/,
  );
});
