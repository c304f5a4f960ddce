import { hash, randomBytes } from "node:crypto";
import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Resource } from "#contract/resources.ts";
import { addressOf, openAcademy } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { operate } from "#test/operate.ts";
import { until } from "#test/until.ts";
import { samples, upload } from "#test/uploads/uploads.ts";

/** How often the process is killed while files come in. `killed-uploads.long.test.ts` has more. */
const rounds = Number(process.env.UPLOAD_ROUNDS ?? 1);

const pdfOf = (size: number) => Buffer.concat([samples.pdf, randomBytes(size), Buffer.from("\n%%EOF\n")]);

test("a kill during uploads loses no acknowledged file, and leaves none without its resource [U10]", async () => {
  await using academy = await openAcademy();
  const { dataDir } = academy;
  // Of files that belong to another academy it removes none.
  await operate(["adopt-files"], { DATA_DIR: dataDir, DATABASE_URL: addressOf(academy.database) });
  const folder = join(dataDir, "files", "resources");
  const uploading = await academy.visitor().signInAsDemo("admin@academy.test");
  const acknowledged = new Map<string, string>();
  for (let round = 0; round < rounds; round++) {
    const uploaders = Array.from({ length: 4 }, async (_, uploader) => {
      for (let alive = true; alive; ) {
        const contents = [pdfOf(400_000), pdfOf(1000)];
        const files = contents.map((content, at) => ({ name: `${uploader}-${at}.pdf`, content }));
        const stored = await upload(uploading, files).catch(() => null);
        for (const [at, { id }] of (stored ?? []).entries()) acknowledged.set(id, hash("sha256", contents[at] ?? ""));
        alive = stored !== null;
      }
    });
    const before = acknowledged.size;
    await until(async () => acknowledged.size > before);
    // Not a wait for something: the instant of death is what varies.
    await new Promise((resolve) => setTimeout(resolve, (round * 37) % 150));
    await academy.kill();
    await Promise.all(uploaders);
    if (round < rounds - 1) await academy.start();
  }
  // In this process it starts faster.
  await using next = await openAcademyInProcess({ DATA_DIR: dataDir }, academy.database);
  expect(await readdir(join(dataDir, "files", "incoming"))).toEqual([]);
  // As old as yesterday's: what no resource names is no upload under way any more.
  const yesterday = new Date(Date.now() - 24 * 3600 * 1000);
  for (const name of await readdir(folder)) await utimes(join(folder, name), yesterday, yesterday);
  for (const duration of ["61m", "8d", "61m"]) await next.advance(duration);

  const admin = await next.visitor().signInAsDemo("admin@academy.test");
  const kept = (await (await admin.send("GET", "/api/resources")).json()) as Resource[];
  expect((await readdir(folder)).length).toBe(kept.length);
  expect(kept.filter(({ isAvailable }) => !isAvailable)).toEqual([]);
  for (const [id, sha256] of acknowledged) {
    const file = await admin.send("GET", `/api/download/${id}`);
    expect(hash("sha256", Buffer.from(await file.arrayBuffer()))).toBe(sha256);
  }
  // Of an upload that died both files are there or none: each name comes as often as the other.
  const names = Map.groupBy(kept, ({ fileName }) => fileName);
  for (let uploader = 0; uploader < 4; uploader++) {
    expect(names.get(`${uploader}-0.pdf`)?.length).toBe(names.get(`${uploader}-1.pdf`)?.length);
  }
});
