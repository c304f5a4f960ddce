import { mkdir, readdir, readFile, rename, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { expect } from "vitest";
import { getPlayback } from "#contract/catalogue.ts";
import { readConfig } from "#server/context/config.ts";
import { openDb } from "#server/db/db.ts";
import { openStorage } from "#server/storage/open.ts";
import { addressOf } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { decryptFile } from "#test/decrypt-file.ts";
import { academyOfFile, databaseOfTest } from "#test/fixtures.ts";
import { environmentOf, operate } from "#test/operate.ts";
import { openObjectStore, storeEnv } from "#test/stand-ins/object-store.ts";
import { folderOfFile, folderOfTest } from "#test/temporary-folder.ts";
import { until } from "#test/until.ts";
import { addUploadedVideo } from "#test/uploaded-video.ts";
import { Visitor } from "#test/visitor.ts";
import { backUp } from "./backup.ts";
import { backUpOnce } from "./backup-destinations.ts";
import { findBackupNote } from "./scheduled-backups.ts";

const scheduledFolder = folderOfFile();
const { academy, test } = await academyOfFile({ BACKUP_EVERY: "6h", BACKUP_KEEP: "1", BACKUP_TO: scheduledFolder });
const video = await addUploadedVideo(academy, { lessonId: "lesson-1-1" });

const configWith = (change: Record<string, string> = {}) => readConfig({ ...environmentOf(academy), ...change });
const copiesIn = (folder: string) => join(folder, "academy-videos/videocopies");
/** The names of the copies, with what changes when one is written anew. */
async function copiesOf(folder: string) {
  const names = (await readdir(copiesIn(folder))).sort();
  return Promise.all(names.map(async (name) => ({ name, inode: (await stat(join(copiesIn(folder), name))).ino })));
}

/** Where a test restores into: a database and a folder without anything. */
async function emptyPlace(folder: string) {
  const { database } = await databaseOfTest();
  return { database, env: { DATA_DIR: join(folder, "restored"), DATABASE_URL: addressOf(database) } };
}

const hoursAgo = (hours: number) => (Date.now() - hours * 3_600_000) / 1000;

/** Makes a file look as if it had been written so long ago. */
const age = (path: string, hours: number) => utimes(path, hoursAgo(hours), hoursAgo(hours));

test("videos are copied once beside the archives, and a restore on an empty machine plays them", async () => {
  const folder = folderOfTest();
  const [first, second] = [join(folder, "first.tar"), join(folder, "second.tar")];
  await backUp(configWith(), first, "1.0.0");
  const made = await copiesOf(folder);
  expect(made).toHaveLength(2);
  const { videos, files } = await backUp(configWith(), second, "1.0.0");
  expect(await copiesOf(folder)).toEqual(made);
  expect(videos).toMatchObject([{ name: "lesson.mov" }, { name: "lesson.mov, 360p", size: video.bytes.length }]);
  expect(files.filter(({ name }) => name.startsWith("files/videos/"))).toEqual([]);

  const where = await emptyPlace(folder);
  const restore = () => operate(["restore", second], where.env);
  const copy = join(copiesIn(folder), videos[1]?.key.replace("videos/", "") ?? "");
  await rename(copy, `${copy}-away`);
  expect((await restore()).failed).toMatch(/^The folder \S+ lacks videos of the backup: lesson\.mov, 360p\. Copy it/);
  expect(await readdir(folder)).not.toContain("restored");

  const whole = await readFile(`${copy}-away`);
  await writeFile(copy, Buffer.from(whole).fill(0, 50, 60));
  expect((await restore()).failed).toMatch(/^Videos in \S+ are not what was written: lesson\.mov, 360p\. Take them/);
  await writeFile(copy, whole);
  expect(await restore()).toMatchObject({ code: 0, failed: "" });
  await using restored = await openAcademyInProcess(where.env, where.database);
  const visitor = new Visitor(restored.url);
  const { url } = (await visitor.call(getPlayback, { params: { lessonId: "lesson-1-1" } })).body;
  const played = await visitor.send("GET", url.replace("master.m3u8", "360.mp4"));
  expect(Buffer.from(await played.arrayBuffer()).equals(video.bytes)).toBe(true);
});

test("a restore without missing videos names them, and restores everything else", async () => {
  const folder = folderOfTest();
  const path = join(folder, "academy.tar");
  await backUp(configWith(), path, "1.0.0");
  await rm(join(folder, "academy-videos"), { recursive: true });
  const { env } = await emptyPlace(folder);
  const { code, said } = await operate(["restore", path, "--without-missing-videos"], env);
  expect(code).toBe(0);
  expect(said).toContain("Without these videos: lesson.mov, lesson.mov, 360p.");
});

test("what a killed backup left of a copy counts as none, and the next one copies it anew [I12]", async () => {
  const folder = folderOfTest();
  const incoming = join(folder, "academy-videos/incoming");
  await mkdir(incoming, { recursive: true });
  for (const name of ["a".repeat(20), "b".repeat(20)]) await writeFile(join(incoming, name), video.bytes);
  await age(join(incoming, "a".repeat(20)), 2);
  await backUp(configWith(), join(folder, "first.tar"), "1.0.0");
  expect(await readdir(incoming)).toEqual(["b".repeat(20)]);

  const [copy = { name: "" }] = await copiesOf(folder);
  await truncate(join(copiesIn(folder), copy.name), 100);
  await backUp(configWith(), join(folder, "second.tar"), "1.0.0");
  expect((await readFile(join(copiesIn(folder), copy.name))).equals(video.bytes)).toBe(true);
});

test("copies are encrypted as the archive is, and plain ones from before do not count", async () => {
  const folder = folderOfTest();
  const identity = await generateX25519Identity();
  await backUp(configWith(), join(folder, "plain.tar"), "1.0.0");
  const plain = (await copiesOf(folder)).map(({ name }) => name);
  const recipient = { BACKUP_RECIPIENT: await identityToRecipient(identity) };
  const { path } = await backUp(configWith(recipient), join(folder, "secret.tar.age"), "1.0.0");
  const encrypted = plain.map((name) => `${name}-age`);
  expect((await copiesOf(folder)).map(({ name }) => name)).toEqual([...plain, ...encrypted].sort());
  const again = await copiesOf(folder);
  await backUp(configWith(recipient), join(folder, "again.tar.age"), "1.0.0");
  expect(await copiesOf(folder)).toEqual(again);

  const opened = join(folder, "opened.tar");
  await decryptFile(identity, path, opened);
  for (const name of plain) await rm(join(copiesIn(folder), name));
  const { env } = await emptyPlace(folder);
  expect((await operate(["restore", opened], env)).failed).toMatch(
    /^Videos in \S+ are encrypted: lesson\.mov, lesson\.mov, 360p\. Decrypt each where its key is/,
  );
  for (const name of plain)
    await decryptFile(identity, join(copiesIn(folder), `${name}-age`), join(copiesIn(folder), name));
  expect(await operate(["restore", opened], env)).toMatchObject({ code: 0, failed: "" });
});

test("scheduled backups read copies back, and delete those that no backup in the folder names", async () => {
  const db = openDb(academy.pool as Parameters<typeof openDb>[0]);
  const noted = () => until(async () => (await findBackupNote(db))?.verifiedAt);
  const forget = () => academy.pool.query("delete from operational_marks where name = 'backups'");
  await noted();
  await academy.advance("6h");
  const [copy = { name: "" }] = await copiesOf(scheduledFolder);
  const path = join(copiesIn(scheduledFolder), copy.name);
  await writeFile(path, Buffer.alloc(video.bytes.length));
  await forget();
  await academy.advance("6h");
  expect(academy.log.filter((line) => /the copies of videos were damaged.*lesson\.mov/.test(line))).toHaveLength(1);
  expect((await copiesOf(scheduledFolder)).map(({ name }) => name)).not.toContain(copy.name);
  await academy.advance("6h");
  await noted();
  expect((await readFile(path)).equals(video.bytes)).toBe(true);

  // A hand-named archive is never deleted, and the copies that it names stay as long.
  const gone = await addUploadedVideo(academy, { lessonId: "lesson-1-2" });
  const own = join(scheduledFolder, "before-the-move.tar");
  await backUp(configWith(), own, "1.0.0");
  await academy.pool.query("delete from videos where id = $1", [gone.id]);
  const ageAll = async () => {
    for (const kind of ["videocopies", "videolists"]) {
      const within = join(scheduledFolder, "academy-videos", kind);
      for (const name of await readdir(within)) await age(join(within, name), 25);
    }
  };
  await ageAll();
  await academy.advance("6h");
  expect(await copiesOf(scheduledFolder)).toHaveLength(4);
  await rm(own);
  await ageAll();
  await academy.advance("6h");
  expect(await copiesOf(scheduledFolder)).toHaveLength(2);
  const lists = await readdir(join(scheduledFolder, "academy-videos/videolists"));
  const archives = (await readdir(scheduledFolder)).filter((name) => name.endsWith(".tar"));
  expect(lists.length).toBe(archives.length);
});

test("backups in the object store have the copies beside them there", async () => {
  await using store = await openObjectStore();
  const config = configWith({ BACKUP_TO: "object-store", ...storeEnv(store) });
  const storage = await openStorage(store, "", folderOfTest());
  for (const name of await readdir(join(academy.dataDir, "files/videos"))) {
    await storage.put(`videos/${name}`, await readFile(join(academy.dataDir, "files/videos", name)));
  }
  const { path, videos } = await backUpOnce(config, null, "1.0.0", new AbortController().signal);
  const sizes = [];
  for await (const { key, size } of storage.list("videocopies"))
    sizes.push([key.replace("videocopies", "videos"), size]);
  expect(sizes.sort()).toEqual(videos.map(({ key, size }) => [key, size]).sort());
  expect(basename(path)).toMatch(/^academy-/);
});
