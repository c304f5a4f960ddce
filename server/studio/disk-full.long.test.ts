import { execFileSync } from "node:child_process";
import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from "node:fs";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { listVideos, retryVideo } from "#contract/admin/studio.ts";
import { openAcademy } from "#test/academy.ts";
import { openSandboxProcess } from "#test/stand-ins/sandbox-process.ts";
import { ffmpeg, makeFilm, picture, prepared, sound, storeUpload } from "#test/studio/films.ts";
import { folderOfFile } from "#test/temporary-folder.ts";
import { until } from "#test/until.ts";
import { askToUpload, beginUpload, offsetOf, sendPiece } from "#test/uploads/tus.ts";

const folder = folderOfFile();
const small = join(folder, "small");
const filler = join(small, "filler");
const megabyte = 1024 ** 2;

/** Mounts a file system of 100 MB, for which a process needs the rights of the machine's owner. */
function isMounted(): boolean {
  try {
    execFileSync("mkdir", [small]);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=100m", "none", small], { stdio: "ignore" });
    afterAll(() => execFileSync("umount", ["-l", small]));
    return true;
  } catch {
    return false;
  }
}

/** Fills the disk but for so many bytes. What the system says is free is only about right. */
function fill(left: number): void {
  const file = openSync(filler, "w");
  const chunk = Buffer.alloc(megabyte);
  let size = 0;
  try {
    for (;;) size += writeSync(file, chunk);
  } catch {
    ftruncateSync(file, Math.max(0, size - left));
  }
  closeSync(file);
}
function empty(): void {
  for (const one of ["", "1", "2", "3"]) rmSync(`${filler}${one}`, { force: true });
}

test.runIf(isMounted())(
  "a disk that is full before, during and after an upload is told, and Try again works",
  async () => {
    const program = join(folder, "ffmpeg");
    const fills = join(folder, "fills");
    // Fills the disk as soon as the conversion begins.
    const lines = [
      "#!/bin/sh",
      `fill() { head -c 100000000 /dev/zero >"${filler}$1" 2>/dev/null; }`,
      // Each file is at most as large as the conversion's may be.
      `case "$*" in *libx264*) [ -e "${fills}" ] && { fill 1; fill 2; fill 3; };; esac`,
      `exec "${ffmpeg}" "$@"`,
    ];
    await writeFile(program, `${lines.join("\n")}\n`, { mode: 0o755 });
    const film = await makeFilm(folder, "film.mp4", [...picture("640x480", 8), ...sound(8)]);
    // The sandbox keeps its files elsewhere.
    await using sandbox = await openSandboxProcess();
    await using academy = await openAcademy({
      ...{ DATA_DIR: join(small, "data"), FFMPEG_PATH: program, SANDBOX_URL: sandbox.url },
    });
    const store = { pool: academy.pool, dataDir: join(small, "data") };
    const author = await academy.visitor().signInAsDemo("admin@academy.test");
    const retry = async (id: string) => {
      await author.signInAgain();
      expect((await author.call(retryVideo, { params: { id } })).status).toBe(200);
      expect(await prepared(academy, id)).toMatchObject({ state: "ready", renditions: [{}, {}] });
    };
    /** Has failed, after its tries, in the words for a full disk. */
    const isToldFull = async (id: string) => {
      const failed = await until(async () => {
        await academy.advance("10s");
        const { rows } = await academy.pool.query("select * from videos where id = $1", [id]);
        return rows[0].state === "failed" && rows[0];
      });
      expect(failed.reason).toBe(
        "The server has no space left for this video. Ask your server administrator to make room, then try again.",
      );
      expect(failed.renditions).toEqual([]);
      const incoming = join(store.dataDir, "files", "incoming");
      await until(async () => (await readdir(incoming)).length === 0);
    };

    // Before it begins.
    const { room } = (await author.call(listVideos)).body.limits;
    expect(room).toBeLessThan(100 * megabyte);
    expect((await askToUpload(author, { size: room + megabyte })).status).toBe(507);

    // While a piece comes.
    const pieces = new Uint8Array(film);
    const sent = await beginUpload(author, { size: film.length });
    fill(Math.floor(film.length / 4));
    expect((await sendPiece(author, sent, 0, pieces)).status).toBe(507);
    expect(await offsetOf(author, sent)).toBe(0);
    empty();
    expect((await sendPiece(author, sent, 0, pieces)).status).toBe(204);
    expect(await prepared(academy, sent)).toMatchObject({ state: "ready" });

    // While the pieces are put together.
    fill(Math.floor(film.length * 1.5));
    const assembled = await storeUpload(store, film, { pieces: 3 });
    await isToldFull(assembled);
    empty();
    await retry(assembled);

    // While it is converted.
    await writeFile(fills, "");
    const converted = await storeUpload(store, film);
    await isToldFull(converted);
    await rm(fills);
    empty();
    await retry(converted);
  },
);
