import { hash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, unlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteResource, type Resource } from "#contract/resources.ts";
import { type Academy, openAcademy } from "#test/academy.ts";
import { openObjectStore } from "#test/stand-ins/object-store.ts";
import { openSandboxApart } from "#test/stand-ins/sandbox-apart.ts";
import { until } from "#test/until.ts";
import { samples, upload, uploadForm } from "#test/uploads/uploads.ts";
import type { Visitor } from "#test/visitor.ts";

/** How often the process is killed while files come in; UPLOAD_ROUNDS=50 in the environment for the long version. */
const rounds = Number(process.env.UPLOAD_ROUNDS ?? 4);

let dataDir: string;
let academy: Academy;
let admin: Visitor;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "academy-sweep-"));
  academy = await openAcademy({ DATA_DIR: dataDir });
  admin = await academy.visitor().signInAsDemo("admin@academy.test");
}, 120_000);
afterAll(async () => {
  await academy?.[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

const folder = () => join(dataDir, "files", "resources");
const list = async () => (await (await admin.send("GET", "/api/resources")).json()) as Resource[];
const pdfOf = (size: number) => Buffer.concat([samples.pdf, randomBytes(size), Buffer.from("\n%%EOF\n")]);

/** Makes every file as old as yesterday's: what no resource names is no upload under way any more. */
async function age(): Promise<void> {
  const yesterday = new Date(Date.now() - 24 * 3600 * 1000);
  for (const name of await readdir(folder())) await utimes(join(folder(), name), yesterday, yesterday);
}

test(`U10 killed ${rounds} times while files come in: what was acknowledged is there, and after the sweep every file has its resource and every resource its file`, async () => {
  const acknowledged = new Map<string, string>();
  for (let round = 0; round < rounds; round++) {
    const uploaders = Array.from({ length: 4 }, async (_, uploader) => {
      for (let alive = true; alive; ) {
        const contents = [pdfOf(400_000), pdfOf(1000)];
        const files = contents.map((content, at) => ({ name: `${uploader}-${at}.pdf`, content }));
        const stored = await upload(admin, files).catch(() => null);
        for (const [at, { id }] of (stored ?? []).entries()) acknowledged.set(id, hash("sha256", contents[at] ?? ""));
        alive = stored !== null;
      }
    });
    const before = acknowledged.size;
    await until(async () => acknowledged.size > before, 60);
    // Not a wait for something: the moment of death is what varies.
    await new Promise((resolve) => setTimeout(resolve, (round * 37) % 150));
    await academy.kill();
    await Promise.all(uploaders);
    await academy.start();
    expect(await readdir(join(dataDir, "files", "incoming"))).toEqual([]);
  }
  await age();
  await academy.advance("61m");

  const kept = await list();
  expect((await readdir(folder())).length).toBe(kept.length);
  expect(kept.filter(({ isActive }) => !isActive)).toEqual([]);
  for (const [id, sha256] of acknowledged) {
    const file = await admin.send("GET", `/api/download/${id}`);
    expect(hash("sha256", Buffer.from(await file.arrayBuffer()))).toBe(sha256);
  }
  // Of an upload that died both files are there or none: each name comes as often as the other.
  const names = Map.groupBy(kept, ({ fileName }) => fileName);
  for (let uploader = 0; uploader < 4; uploader++) {
    expect(names.get(`${uploader}-0.pdf`)?.length).toBe(names.get(`${uploader}-1.pdf`)?.length);
  }
}, 1_800_000);

test("a file that no resource names goes after an hour and not before; it may belong to an upload under way", async () => {
  const orphan = join(folder(), randomBytes(10).toString("hex"));
  await writeFile(orphan, "x");
  await academy.advance("61m");
  expect(await readdir(folder())).toContain(orphan.split("/").at(-1));
  await age();
  await academy.advance("61m");
  expect(await readdir(folder())).not.toContain(orphan.split("/").at(-1));
});

test("a resource whose file is gone leaves the students' lists and stands in the log", async () => {
  const before = new Set(await readdir(folder()));
  const [resource] = await upload(admin, [{ name: "a.pdf", content: samples.pdf }]);
  const [name = ""] = (await readdir(folder())).filter((one) => !before.has(one));
  await unlink(join(folder(), name));
  expect((await admin.send("GET", `/api/download/${resource?.id}`)).status).toBe(404);
  await academy.advance("61m");
  expect((await list()).find(({ id }) => id === resource?.id)?.isActive).toBe(false);
  expect(academy.log.some((line) => line.includes("are missing") && line.includes(resource?.id ?? ""))).toBe(true);
});

test("a deleted resource's file goes with it", async () => {
  const before = (await readdir(folder())).length;
  const [resource] = await upload(admin, [{ name: "a.pdf", content: samples.pdf }]);
  await admin.call(deleteResource, { params: { id: resource?.id ?? "" } });
  await until(async () => (await readdir(folder())).length === before);
});

test("two academies over one object store and one database: what is uploaded at one is downloaded at the other", async () => {
  await using store = await openObjectStore();
  await using sandbox = await openSandboxApart();
  const env = {
    SANDBOX_URL: sandbox.url,
    SESSION_SECRET: "one secret that both nodes of this test share",
    S3_ENDPOINT: store.endpoint,
    S3_BUCKET: store.bucket,
    S3_REGION: store.region,
    S3_ACCESS_KEY_ID: store.accessKeyId,
    S3_SECRET_ACCESS_KEY: store.secretAccessKey,
  };
  await using first = await openAcademy(env);
  await using second = await openAcademy(env, first.database);
  const uploader = await first.visitor().signInAsDemo("admin@academy.test");
  const student = await second.visitor().signInAsDemo("basic@academy.test");
  const content = pdfOf(2_000_000);
  const [resource] = await upload(uploader, [{ name: "Shared.pdf", content }]);
  const path = resource?.fileUrl ?? "";
  const whole = await student.send("GET", path);
  expect(Buffer.from(await whole.arrayBuffer()).equals(content)).toBe(true);
  const part = await student.send("GET", path, undefined, { range: "bytes=1000000-1000009" });
  expect(Buffer.from(await part.arrayBuffer()).equals(content.subarray(1_000_000, 1_000_010))).toBe(true);

  // The store goes away: uploads and downloads are refused for now, everything else goes on.
  await store[Symbol.asyncDispose]();
  const refused = await uploader.send("POST", "/api/upload-resource", uploadForm([{ name: "a.pdf", content }]));
  expect(refused.status).toBe(503);
  expect((await student.send("GET", path)).status).toBe(503);
  expect((await student.send("GET", "/api/resources")).status).toBe(200);
}, 120_000);
