import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm, unlink, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { beforeEach, expect, onTestFinished } from "vitest";
import { deleteResource, type Resource } from "#contract/resources.ts";
import { openDb } from "#server/db/db.ts";
import { recordMissingFiles } from "#server/resources/resources.ts";
import { s3Storage } from "#server/storage/s3.ts";
import { addressOf, type RunningAcademy } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { findingsOf, operate } from "#test/operate.ts";
import { cloneDatabase, openTestPool } from "#test/postgres.ts";
import { leaveOnlyJobs } from "#test/regular-jobs.ts";
import { openObjectStore, storeEnv } from "#test/stand-ins/object-store.ts";
import { until } from "#test/until.ts";
import { addUploadedVideo } from "#test/uploaded-video.ts";
import { samples, upload, uploadForm } from "#test/uploads/uploads.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, administrator: admin, test } = await academyOfFile();
const { dataDir } = academy;
const env = { DATA_DIR: dataDir, DATABASE_URL: addressOf(academy.database) };
// Of files that belong to another academy it removes none.
await operate(["adopt-files"], env);
/** A restart schedules all jobs again, and the tests move the clock by weeks. */
const leaveJobsOfFiles = (of: RunningAcademy) => leaveOnlyJobs(of, "check-files", "sweep-resources");
beforeEach(async () => {
  await leaveJobsOfFiles(academy);
  // An administrator's session is short.
  await admin.signInAgain();
});

const folder = () => join(dataDir, "files", "resources");
const list = async () => (await (await admin.send("GET", "/api/resources")).json()) as Resource[];
const pdfOf = (size: number) => Buffer.concat([samples.pdf, randomBytes(size), Buffer.from("\n%%EOF\n")]);

const trash = () => join(dataDir, "files", "trash");
const resourceIn = async (visitor: Visitor, id: string | undefined) =>
  ((await (await visitor.send("GET", "/api/resources")).json()) as Resource[]).find((one) => one.id === id);
const statusOf = async (id: string | undefined) => (await admin.send("GET", `/api/download/${id}`)).status;

/** Where the file of a resource lies. */
async function fileOf(id: string): Promise<string> {
  const { rows } = await academy.pool.query("select storage_key from course_resources where id = $1", [id]);
  return join(dataDir, "files", rows[0].storage_key);
}

/** As many sweeps, over as long a time, as a file without a row is given. */
async function sweepForAWeek(): Promise<void> {
  await leaveJobsOfFiles(academy);
  for (const duration of ["61m", "8d", "61m"]) await academy.advance(duration);
  await admin.signInAgain();
}

async function doctorSays(name: string, of: Record<string, string> = env): Promise<string | undefined> {
  return (await findingsOf({ PORT: "9", ...of }))[name];
}

/** Makes every file as old as yesterday's: what no resource names is no upload under way any more. */
async function age(within = folder()): Promise<void> {
  const yesterday = new Date(Date.now() - 24 * 3600 * 1000);
  for (const name of await readdir(within)) await utimes(join(within, name), yesterday, yesterday);
}

test("an old file without a row goes to the trash after a week and is deleted after thirty days", async () => {
  const key = `resources/${randomBytes(10).toString("hex")}`;
  const strange = "resources/notes of the operator.txt";
  for (const one of [key, strange]) await writeFile(join(dataDir, "files", one), "x");
  await age();
  // It is from the last hour of the real time, however far the clock is moved.
  const fresh = join(folder(), randomBytes(10).toString("hex"));
  await writeFile(fresh, "x");
  await academy.advance("61m");
  await academy.advance("6d");
  await academy.advance("61m");
  expect(await readdir(folder())).toContain(key.split("/").at(-1));
  expect(await doctorSays("Files")).toMatch(
    new RegExp(`^ok .*1 that no row names will go to the trash: ${key} from 20`),
  );
  await academy.advance("2d");
  expect(await readdir(folder())).not.toContain(key.split("/").at(-1));
  expect(await readdir(trash())).toContain(key.replace("/", "-"));
  await academy.advance("29d");
  await academy.advance("61m");
  expect(await readdir(trash())).toContain(key.replace("/", "-"));
  await academy.advance("2d");
  expect(await readdir(trash())).not.toContain(key.replace("/", "-"));
  const left = await readdir(folder());
  expect(left, "what the academy never named is not its own").toContain(strange.split("/")[1]);
  expect(left).toContain(basename(fresh));
  await unlink(fresh);
});

test("nothing is swept while a named file is missing, and nothing of an uploaded video afterwards", async () => {
  const [resource] = await upload(admin, [{ name: "a.pdf", content: samples.pdf }]);
  const own = await fileOf(resource?.id ?? "");
  const { id } = await addUploadedVideo(
    { pool: academy.pool, dataDir },
    { lessonId: "lesson-1-1", heights: [360, 720] },
  );
  const videos = join(dataDir, "files", "videos");
  const store = async () => {
    const name = randomBytes(10).toString("hex");
    await writeFile(join(videos, name), "x");
    return name;
  };
  const [poster, piece, orphan] = [await store(), await store(), await store()];
  await academy.pool.query("update videos set poster_key = $2 where id = $1", [id, `videos/${poster}`]);
  await academy.pool.query("insert into video_pieces (video_id, start, size, key) values ($1, 0, 1, $2)", [
    id,
    `videos/${piece}`,
  ]);
  const stored = (await readdir(videos)).sort();
  expect(stored).toHaveLength(6);
  await age(videos);
  await rename(own, join(dataDir, "away"));
  await sweepForAWeek();
  expect((await readdir(videos)).sort()).toEqual(stored);
  await rename(join(dataDir, "away"), own);
  await sweepForAWeek();
  // The source, sizes, picture and pieces.
  expect((await readdir(videos)).sort()).toEqual(stored.filter((name) => name !== orphan));
});

test("a file in the trash returns when a row names it", async () => {
  const [resource] = await upload(admin, [{ name: "back.pdf", content: samples.pdf }]);
  const own = await fileOf(resource?.id ?? "");
  await mkdir(trash(), { recursive: true });
  await rename(own, join(trash(), `resources-${basename(own)}`));
  await academy.advance("61m");
  expect(await statusOf(resource?.id)).toBe(200);
});

test("a resource whose file is missing is shown so until the file is back", async () => {
  const student = await academy.visitor().signInAsDemo("vip@academy.test");
  const [resource] = await upload(admin, [{ name: "a.pdf", content: samples.pdf }]);
  const own = await fileOf(resource?.id ?? "");
  await rename(own, join(dataDir, "away"));
  // As the page asks before it says that a download has started.
  expect((await student.send("HEAD", `/api/download/${resource?.id}`)).status).toBe(503);
  const refused = await student.send("GET", `/api/download/${resource?.id}`);
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ message: "We can't find this file right now. Please try again later." });
  for (const visitor of [admin, student]) {
    expect(await resourceIn(visitor, resource?.id)).toMatchObject({ isActive: true, isAvailable: false });
  }
  expect(academy.log.some((line) => line.includes("is missing") && line.includes(resource?.id ?? ""))).toBe(true);
  await rename(join(dataDir, "away"), own);
  await academy.advance("5m");
  expect(await resourceIn(student, resource?.id)).toMatchObject({ isAvailable: true });
  expect(await statusOf(resource?.id)).toBe(200);
});

test("files of resources that are uploaded or deleted while files are listed are not missing", async () => {
  const [gone] = await upload(admin, [{ name: "gone.pdf", content: samples.pdf }]);
  const isGone = basename(await fileOf(gone?.id ?? ""));
  const pool = openTestPool(academy.database.connection);
  onTestFinished(() => pool.end());
  const listFiles = async () => {
    const there = (await readdir(folder())).filter((name) => name !== isGone);
    await upload(admin, [{ name: "new.pdf", content: samples.pdf }]);
    await admin.call(deleteResource, { params: { id: gone?.id ?? "" } });
    return new Set(there.map((name) => `resources/${name}`));
  };
  expect(await recordMissingFiles(openDb(pool), listFiles, new Date())).toMatchObject({ lost: [] });
});

test("with a missing volume uploads are refused, readiness and doctor report it, and nothing is lost", async () => {
  const [resource] = await upload(admin, [{ name: "volume.pdf", content: samples.pdf }]);
  await academy.stop();
  await rename(join(dataDir, "files"), join(dataDir, "unmounted"));
  await academy.start();
  const ready = await fetch(`${academy.url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([503, { status: "no files", files: "missing" }]);
  expect(await doctorSays("Files")).toMatch(/^PROBLEM .*\/files is empty, and rows name files: mount the volume/);
  await until(async () => (await resourceIn(admin, resource?.id))?.isAvailable === false);
  expect(await statusOf(resource?.id)).toBe(503);
  const form = uploadForm([{ name: "b.pdf", content: samples.pdf }]);
  expect((await admin.send("POST", "/api/upload-resource", form)).status).toBe(503);
  await sweepForAWeek();

  await rm(join(dataDir, "files"), { recursive: true });
  await rename(join(dataDir, "unmounted"), join(dataDir, "files"));
  await academy.advance("5m");
  expect((await list()).filter(({ isAvailable }) => !isAvailable)).toEqual([]);
  expect(await statusOf(resource?.id)).toBe(200);
  await until(async () => (await fetch(`${academy.url}/readyz`)).status === 200);
  expect(await doctorSays("Files")).toMatch(/^ok \d+ that rows name, all there/);
});

test("another academy's file store is refused and left alone, until the operator adopts it", async () => {
  await academy.stop();
  const before = await readdir(folder());
  const refusal = /^The files in .*\/files belong to another academy\. .* run npm run adopt-files\./;
  await expect(openAcademyInProcess({ DATA_DIR: dataDir })).rejects.toThrow(refusal);
  expect(await readdir(folder())).toEqual(before);

  await academy.start();
  expect((await list()).filter(({ isAvailable }) => !isAvailable)).toEqual([]);

  const stranger = await cloneDatabase();
  onTestFinished(() => stranger.drop());
  const there = { DATA_DIR: dataDir, DATABASE_URL: addressOf(stranger) };
  expect(await doctorSays("Files", there)).toMatch(/^PROBLEM The files in .* belong to another academy/);
  const adopted = await operate(["adopt-files"], there);
  expect(adopted.said).toMatch(
    /^The files are this academy's now: 0 of 0 that rows name are there, and \d+ that no row/,
  );
  await until(async () => (await fetch(`${academy.url}/readyz`)).status === 503);
  await sweepForAWeek();
  expect(await readdir(folder())).toEqual(before);
  await operate(["adopt-files"], env);
  await until(async () => (await fetch(`${academy.url}/readyz`)).status === 200);
});

test("an unmarked store belongs to the academy whose rows name its files", async () => {
  await academy.stop();
  await rm(join(dataDir, "files", "store"), { recursive: true });
  await expect(openAcademyInProcess({ DATA_DIR: dataDir })).rejects.toThrow(
    /^The files in .* belong to no academy that is known, and no row names them\./,
  );
  await academy.pool.query("delete from operational_marks where name = 'file-store'");
  await academy.start();
  expect(await readdir(join(dataDir, "files", "store"))).toEqual(["belongs-to-this-academy"]);
  expect((await fetch(`${academy.url}/readyz`)).status).toBe(200);
  expect((await list()).filter(({ isAvailable }) => !isAvailable)).toEqual([]);
});

test("a copy of the database deletes none of the original's files", async () => {
  const orphan = randomBytes(10).toString("hex");
  await writeFile(join(folder(), orphan), "x");
  await age();
  await academy.stop();
  await using copy = await openAcademyInProcess({ DATA_DIR: dataDir }, await cloneDatabase(academy.database.name));
  onTestFinished(() => copy.database.drop());
  expect((await fetch(`${copy.url}/readyz`)).status).toBe(200);
  await leaveJobsOfFiles(copy);
  for (const duration of ["61m", "8d", "61m", "61m"]) await copy.advance(duration);
  expect(await readdir(folder())).toContain(orphan);
  const there = { DATA_DIR: dataDir, DATABASE_URL: addressOf(copy.database) };
  expect(await doctorSays("Files", there)).toMatch(/^ok .*another copy of this database had them last/);
  await copy.stop();
  await academy.start();
});

test("the file of a deleted resource is deleted", async () => {
  const before = (await readdir(folder())).length;
  const [resource] = await upload(admin, [{ name: "a.pdf", content: samples.pdf }]);
  await admin.call(deleteResource, { params: { id: resource?.id ?? "" } });
  await until(async () => (await readdir(folder())).length === before);
});

test("two nodes of one object store and database download each other's files", async () => {
  await using store = await openObjectStore();
  const there = storeEnv(store);
  await using first = await openAcademyInProcess(there);
  await using second = await openAcademyInProcess(there, first.database);
  const people = async () => [
    await first.visitor().signInAsDemo("admin@academy.test"),
    await second.visitor().signInAsDemo("vip@academy.test"),
  ];
  let [uploader, student] = (await people()) as [Visitor, Visitor];
  const content = pdfOf(2_000_000);
  const [resource] = await upload(uploader, [{ name: "Shared.pdf", content }]);
  const path = resource?.fileUrl ?? "";
  const whole = await student.send("GET", path);
  expect(Buffer.from(await whole.arrayBuffer()).equals(content)).toBe(true);
  const part = await student.send("GET", path, undefined, { range: "bytes=1000000-1000009" });
  expect(Buffer.from(await part.arrayBuffer()).equals(content.subarray(1_000_000, 1_000_010))).toBe(true);

  // Whichever node sweeps, what came in within the hour stays.
  const bucket = await s3Storage(store, join(dataDir, "s3-incoming"));
  const orphan = `resources/${randomBytes(10).toString("hex")}`;
  await bucket.put(orphan, Buffer.from("x"));
  const keysIn = async (folder: string) => {
    const keys: string[] = [];
    for await (const { key } of bucket.list(folder)) keys.push(key);
    return keys;
  };
  const before = await keysIn("resources");
  await leaveJobsOfFiles(first);
  for (const duration of ["61m", "8d", "61m"]) await first.advance(duration);
  expect(await keysIn("resources")).toEqual(before);

  [uploader, student] = (await people()) as [Visitor, Visitor];

  // The store goes away: uploads and downloads are refused for now, everything else goes on.
  await store[Symbol.asyncDispose]();
  const refused = await uploader.send("POST", "/api/upload-resource", uploadForm([{ name: "a.pdf", content }]));
  expect(refused.status).toBe(503);
  expect((await student.send("GET", path)).status).toBe(503);
  expect((await student.send("GET", "/api/resources")).status).toBe(200);
  const known = () => fetch(`${first.url}/readyz`).then((ready) => ready.json()) as Promise<{ files: string }>;
  await until(async () => (await known()).files === "unreachable");
});
