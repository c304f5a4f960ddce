import { createReadStream, createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { Decrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import pg from "pg";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { readConfig } from "#server/context/config.ts";
import { openStorage } from "#server/storage/open.ts";
import { addressOf, openAcademy } from "#test/academy.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";
import { openObjectStore } from "#test/stand-ins/object-store.ts";
import { until } from "#test/until.ts";
import { archiveIn } from "./archive.ts";
import { backUpOnce } from "./backup-destinations.ts";
import { examine } from "./doctor/doctor.ts";
import { restore } from "./restore.ts";
import type { BackupNote } from "./scheduled-backups.ts";
import { verifyBackup } from "./verify-backup.ts";

const folder = mkdtempSync(join(tmpdir(), "academy-backups-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));

async function ask<Row extends pg.QueryResultRow>(
  { database }: AcademyInProcess,
  statement: string,
  values: unknown[] = [],
) {
  const client = new pg.Client(database.connection);
  await client.connect();
  return (await client.query<Row>(statement, values).finally(() => client.end())).rows;
}

async function noteOf(academy: AcademyInProcess): Promise<BackupNote | undefined> {
  const [row] = await ask<{ value: BackupNote }>(academy, "select value from settings where name = 'backups'");
  return row?.value;
}

async function figure({ url }: AcademyInProcess, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]?.replace("+Inf", "Infinity"));
}

test("scheduled backups are encrypted, the newest is verified, and the last few are kept [I12]", async () => {
  const identity = await generateX25519Identity();
  const leftovers = [
    "academy-2026-01-01T00-00-00Z.tar.unfinished-0123456789abcdefghjk",
    "mine.tar.unfinished-0123456789abcdefghjk",
  ];
  for (const name of leftovers) {
    await writeFile(join(folder, name), "half");
    await utimes(join(folder, name), 0, 0);
  }
  const env = {
    BACKUP_EVERY: "6h",
    BACKUP_KEEP: "2",
    BACKUP_TO: folder,
    BACKUP_RECIPIENT: await identityToRecipient(identity),
  };
  await using academy = await openAcademyInProcess(env);
  const student = await academy.visitor().signUp();
  const first = await until(async () => {
    const note = await noteOf(academy);
    return note?.verifiedAt ? note : undefined;
  });
  expect(first.verifiedName).toBe(first.name);
  expect(await readdir(folder)).toEqual(expect.arrayContaining([first.name, leftovers[1]]));
  expect(await readdir(folder)).not.toContain(leftovers[0]);
  expect(await readdir(academy.dataDir)).not.toContain("verifying");
  expect((await stat(join(folder, first.name))).mode & 0o777).toBe(0o600);

  for (let times = 0; times < 3; times++) await academy.advance("6h");
  const kept = (await readdir(folder)).filter((name) => name.endsWith(".age")).sort();
  const last = (await noteOf(academy))?.name ?? "";
  expect(kept.length).toBe(3);
  expect([kept[0], kept[2]]).toEqual([first.name, last]);
  expect(await figure(academy, "academy_backup_every_seconds")).toBe(6 * 3600);
  expect(await figure(academy, "academy_backup_age_seconds")).toBeLessThan(6 * 3600);

  // Nobody but the key's owner reads it.
  const path = join(folder, last);
  expect((await readFile(path)).subarray(0, 21).toString()).toBe("age-encryption.org/v1");
  const config = readConfig({ DATA_DIR: join(folder, "restored") });
  await expect(restore(config, path)).rejects.toThrow(/ is encrypted: decrypt it where its key is /);
  await expect(verifyBackup(academy.dataDir, archiveIn(path))).rejects.toThrow("it is no archive");
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const opened = join(folder, "opened.tar");
  const plain = await decrypter.decrypt(Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>);
  await plain.pipeTo(Writable.toWeb(createWriteStream(opened)));
  await restore(config, opened);
  await using second = await openAcademy({ DATA_DIR: join(folder, "restored"), DATABASE_URL: "" });
  const visitor = second.visitor();
  for (const [name, cookie] of student.cookies)
    visitor.cookies.set(name.replace(/\d+$/, new URL(second.url).port), cookie);
  expect((await visitor.call(getCurrentUser)).body).toMatchObject({ email: student.email });

  // What the alerts wait for.
  await ask(
    academy,
    "update settings set value = jsonb_set(value::jsonb, '{madeAt}', '\"2020-01-01T00:00:00Z\"') where name = 'backups'",
  );
  expect(await figure(academy, "academy_backup_age_seconds")).toBeGreaterThan(1.5 * 6 * 3600);
  await ask(academy, "delete from settings where name = 'backups'");
  expect(await figure(academy, "academy_backup_verified_age_seconds")).toBe(Number.POSITIVE_INFINITY);
  const findings = new Map<string, string>();
  const environment = { ...env, DATA_DIR: academy.dataDir, DATABASE_URL: addressOf(academy.database) };
  for await (const { name, detail } of examine(environment, "24.21.0")) findings.set(name, detail);
  expect(findings.get("Backup")).toMatch(/^the last one is of \S+; none was verified$/);
});

test("backups are kept in the object store, and old ones are deleted", async () => {
  await using store = await openObjectStore();
  const env = {
    BACKUP_EVERY: "1d",
    BACKUP_KEEP: "1",
    BACKUP_TO: "object-store",
    S3_ENDPOINT: store.endpoint,
    S3_BUCKET: store.bucket,
    S3_REGION: store.region,
    S3_ACCESS_KEY_ID: store.accessKeyId,
    S3_SECRET_ACCESS_KEY: store.secretAccessKey,
  };
  await using academy = await openAcademyInProcess(env);
  const incoming = mkdtempSync(join(tmpdir(), "academy-incoming-"));
  onTestFinished(() => rmSync(incoming, { recursive: true, force: true }));
  const storage = await openStorage(store, "", incoming);
  const keys = async () => {
    const found: string[] = [];
    for await (const { key } of storage.list("backups")) found.push(key);
    return found;
  };
  const first = await until(async () => {
    const note = await noteOf(academy);
    return note?.verifiedAt ? note : undefined;
  });
  expect(await keys()).toEqual([`backups/${first.name.toLowerCase().replaceAll(".", "-")}`]);
  // The one that was verified stays until the next verification.
  const outgoing = join(academy.dataDir, "outgoing-backups");
  await writeFile(join(outgoing, "academy-2026-01-01T00-00-00Z.tar"), "whole, but its process was killed on the way");
  await academy.advance("3d");
  expect((await keys()).length).toBe(2);
  await academy.advance("6d");
  expect((await keys()).includes(`backups/${first.name.toLowerCase().replaceAll(".", "-")}`)).toBe(false);
  expect(await readdir(outgoing)).toEqual([]);

  const config = readConfig({ ...env, DATA_DIR: academy.dataDir, DATABASE_URL: addressOf(academy.database) });
  const { path } = await backUpOnce(config, null, "1.2.3", new AbortController().signal);
  expect(path).toMatch(/^backups\/academy-/);
  expect(await keys()).toContain(path);
  expect(await readdir(academy.dataDir)).not.toContain("outgoing-backup");
});

test("old backups are deleted although the newest cannot be restored, which is logged", async () => {
  const to = mkdtempSync(join(tmpdir(), "academy-backups-"));
  onTestFinished(() => rmSync(to, { recursive: true, force: true }));
  await using academy = await openAcademyInProcess({ BACKUP_EVERY: "1d", BACKUP_KEEP: "2", BACKUP_TO: to });
  const first = await until(async () => {
    const note = await noteOf(academy);
    return note?.verifiedAt ? note : undefined;
  });
  // An operator's own, which no migration makes.
  await ask(academy, "alter table users add column remark text");
  for (const duration of ["8d", "1d", "1d", "1d"]) await academy.advance(duration);
  const last = await noteOf(academy);
  expect(last).toMatchObject({ verifiedName: first.name, verifiedAt: first.verifiedAt });
  const kept = (await readdir(to)).sort();
  expect([kept.length, kept[0], kept[2]]).toEqual([3, first.name, last?.name]);
  expect(
    academy.log.filter((line) => /"back-up".*public\.users came back.*the newest backup cannot be restored/.test(line)),
  ).toHaveLength(4);
  expect(await ask(academy, "select from jobs where name = 'back-up' and attempts > 0")).toEqual([]);
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
