import { createHash, randomBytes } from "node:crypto";
import { readdir, readFile, utimes } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, inject, test } from "vitest";
import { deleteVideo } from "#contract/admin/studio.ts";
import { type Academy, openAcademy } from "#test/academy.ts";
import { inRole } from "#test/in-role.ts";
import { openObjectStore, storeEnv } from "#test/stand-ins/object-store.ts";
import { openSandboxProcess } from "#test/stand-ins/sandbox-process.ts";
import { prepared } from "#test/studio/films.ts";
import { folderOfFile } from "#test/temporary-folder.ts";
import { until } from "#test/until.ts";
import { beginUpload, filmLike, freeOffsetOf, openPiece, sendPiece } from "#test/uploads/tus.ts";
import type { Visitor } from "#test/visitor.ts";

const megabyte = 1024 ** 2;
const size = Number(process.env.UPLOAD_MEGABYTES ?? 1024) * megabyte;
const pieceBytes = size / 128;
const cuts = 50;
const kills = 10;
const memoryLimit = 60 * megabyte;

const directory = folderOfFile();

/** Any part of a file of `size` bytes that begins like a film: the beginning, and then a block again and again. */
const start = filmLike(4096);
const block = new Uint8Array(randomBytes(pieceBytes + 4093));
function partOf(from: number, to: number): Uint8Array<ArrayBuffer> {
  const part = new Uint8Array(to - from);
  for (let at = from; at < to; ) {
    const chunk = at < start.length ? start.subarray(at) : block.subarray((at - start.length) % block.length);
    const fitting = chunk.subarray(0, to - at);
    part.set(fitting, at - from);
    at += fitting.length;
  }
  return part;
}

/** Bytes in memory. */
async function memoryOf({ pid }: Academy): Promise<number> {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

/** Files of the store, without what it notes about them. */
const storedVideos = async () =>
  (await readdir(join(directory, "academy", "videos")).catch(() => [])).filter((name) => name.endsWith("_object"));

test("1 GB arrives whole over two nodes, through cuts, kills, repeats and reversals, in little memory [Z62]", async () => {
  await using store = await openObjectStore({ port: 0, directory });
  await using sandbox = await openSandboxProcess();
  const env = { ...storeEnv(store), SANDBOX_URL: sandbox.url, SESSION_SECRET: "one secret that both nodes share" };
  // Limits of memory as those of `npm start`.
  const frugal = { MALLOC_ARENA_MAX: "2", NODE_OPTIONS: "--max-semi-space-size=8" };
  await using steady = await openAcademy({ ...env, ...frugal });
  await using doomed = await openAcademy({ ...env, VIDEO_WORKERS: "0" }, steady.database);
  const here = await inRole(steady, "administrator");
  const there = await doomed.visitor().signInAsDemo(here.email);
  const id = await beginUpload(here, { size });

  let seed = inject("seed");
  const random = (below: number) => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed % below;
  };
  const sha256 = createHash("sha256");
  let hashed = 0;
  let before = 0;
  let most = 0;
  const done = { cuts: 0, kills: 0, twice: 0, reversed: 0 };

  /** Sends a part of a piece, and cuts the connection or kills the node. */
  async function breakOff(visitor: Visitor, at: number, end: () => Promise<void> | void): Promise<void> {
    const open = openPiece(visitor, id, at, Math.min(pieceBytes, size - at));
    await open.write(partOf(at, at + 1 + random(Math.min(pieceBytes, size - at) - 1))).catch(() => {});
    await end();
    open.cut();
    await open.status;
  }

  for (let at = 0; at < size; ) {
    const piece = Math.floor(at / pieceBytes);
    const [visitor, other] = piece % 2 === 0 ? [here, there] : [there, here];
    if (done.kills < kills && piece >= (done.kills + 1) * 11) {
      await breakOff(there, at, () => doomed.kill());
      await doomed.start();
      // As after the lease's end.
      await steady.pool.query("update videos set locked_until = null where id = $1", [id]);
      done.kills += 1;
    } else if (done.cuts < cuts && piece >= (done.cuts + 1) * 2) {
      await breakOff(visitor, at, () => {});
      done.cuts += 1;
    } else {
      const end = Math.min(at + pieceBytes, size);
      const part = partOf(at, end);
      if (end < size && piece % 10 === 3) {
        expect((await sendPiece(other, id, end, partOf(end, end + 1000))).status).toBe(409);
        done.reversed += 1;
      }
      if (piece % 10 === 7) {
        const both = await Promise.all([visitor, other].map((one) => sendPiece(one, id, at, part)));
        expect(both.map(({ status }) => status)).toContain(409);
        done.twice += 1;
      } else {
        // 409: what a cut connection had sent was recorded after all. The page asks again where to go on, too.
        expect([204, 409]).toContain((await sendPiece(visitor, id, at, part)).status);
      }
    }
    at = await freeOffsetOf(here, id);
    if (at > hashed) sha256.update(partOf(hashed, at));
    hashed = Math.max(hashed, at);
    const memory = await memoryOf(steady);
    // The first pieces compile the code that receives them.
    if (piece >= 8) before ||= memory;
    most = Math.max(most, memory);
  }
  expect(done).toEqual({ cuts, kills, twice: expect.any(Number), reversed: expect.any(Number) });
  expect(Math.min(done.twice, done.reversed)).toBeGreaterThan(5);

  // It begins like a film and is none.
  const ended = prepared(steady, id);
  for (let isOver = false; !isOver; most = Math.max(most, await memoryOf(steady))) {
    isOver = await Promise.race([ended.then(() => true), delay(200, false)]);
  }
  const video = await ended;
  expect([video.state, video.sha256, video.size]).toEqual(["failed", sha256.digest("hex"), String(size)]);
  expect(most - before, `from ${before} to ${most} bytes`).toBeLessThan(memoryLimit);

  const { status } = await here.call(deleteVideo, { params: { id } });
  expect(status).toBe(200);
  // What killed nodes stored and never recorded is as old as the sweep wants it.
  const yesterday = new Date(Date.now() - 24 * 3600 * 1000);
  await until(async () => (await storedVideos()).length <= kills + cuts);
  for (const name of await readdir(join(directory, "academy", "videos"))) {
    await utimes(join(directory, "academy", "videos", name), yesterday, yesterday);
  }
  for (const duration of ["61m", "8d", "61m", "31d", "61m"]) await steady.advance(duration);
  await until(async () => (await storedVideos()).length === 0);
  expect(await readdir(join(directory, "academy", "trash")).catch(() => [])).toEqual([]);
});
