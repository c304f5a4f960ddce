import { hash } from "node:crypto";
import { readdir, readFile, readlink, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, inject, onTestFinished, test } from "vitest";
import { retryVideo } from "#contract/admin/studio.ts";
import { openAcademy, type RunningAcademy } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { forFile } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";
import { isRunning } from "#test/processes.ts";
import { ffmpeg, makeFilm, picture, prepared, sound, storeUpload } from "#test/studio/films.ts";
import { folderOfFile } from "#test/temporary-folder.ts";
import { until } from "#test/until.ts";
import { beginUpload, sendPiece } from "#test/uploads/tus.ts";

const folder = folderOfFile();
const film = await makeFilm(folder, "film.mp4", [...picture(), ...sound()]);
const program = join(folder, "ffmpeg");
const held = join(folder, "held");

/** What the program does instead of converting. */
async function instead(lines: string): Promise<void> {
  await writeFile(join(folder, "instead"), lines);
  onTestFinished(() => rm(join(folder, "instead"), { force: true }));
}
const hold = `case "$*" in *libx264*) echo $$ >"${held}"; exec sleep 1000;; esac`;
/** Leads to the program's id: while it reads a film it may write no file. */
const running = join(folder, "running");
await writeFile(
  program,
  `#!/bin/sh\nln -sfn $$ "${running}"\n[ -e "${folder}/instead" ] && . "${folder}/instead"\nexec "${ffmpeg}" "$@"\n`,
  { mode: 0o755 },
);
/** Resolves when the program holds a conversion. */
const holding = async () => until(async () => Number(await readFile(held, "utf8").catch(() => "")));
const isGone = (pid: number) => until(async () => !isRunning(pid));

const academy = await forFile(openAcademyInProcess({ FFMPEG_PATH: program }));
const filesOf = async ({ dataDir }: Pick<RunningAcademy, "dataDir"> = academy) => {
  const store = join(dataDir, "files");
  return { videos: await readdir(join(store, "videos")), incoming: await readdir(join(store, "incoming")) };
};
const rowOf = async (id: string, { pool }: Pick<RunningAcademy, "pool"> = academy) =>
  (await pool.query("select * from videos where id = $1", [id])).rows[0];

test.for<[string, string, string]>([
  ["fails", 'case "$*" in *libx264*) echo no luck >&2; exit 1;; esac', "The conversion failed."],
  ["can’t start", "echo no library >&2; exit 127", "The server couldn’t run ffmpeg"],
  ["is killed while it reads", "kill -9 $$", "The server couldn’t run ffmpeg"],
  [
    "finds the disk full",
    'case "$*" in *libx264*) echo "a.mp4: No space left on device" >&2; exit 1;; esac',
    "The server has no space left",
  ],
  [
    "writes garbage",
    'for last; do :; done; case "$*" in *libx264*) echo x >$last; exit 0;; esac',
    "The conversion failed.",
  ],
  ["needs too much memory", 'case "$*" in *libx264*) kill -9 $$;; esac', "The conversion needs more memory"],
])("a conversion whose program %s fails in words after its tries [Z65]", async ([, lines, says]) => {
  await instead(lines);
  const id = await storeUpload(academy, film);
  const failed = await until(async () => {
    await academy.advance("10s");
    const row = await rowOf(id);
    return row.state === "failed" && row;
  });
  expect(failed.reason).toContain(says);
  expect(failed).toMatchObject({ renditions: [], source_key: expect.any(String) });
  await until(async () => (await filesOf()).incoming.length === 0);
});

test("a failed conversion is tried again once, however often it's asked for, unless its file is gone", async () => {
  await instead("exit 127");
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  const id = await storeUpload(academy, film);
  const failed = async () => {
    await academy.advance("10s");
    return (await rowOf(id)).state === "failed";
  };
  await until(failed);
  await administrator.signInAgain();
  const retry = () => administrator.call(retryVideo, { params: { id } });
  const twice = await Promise.all([retry(), retry()]);
  expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(twice.find(({ status }) => status === 200)?.body).toMatchObject({ state: "waiting", reason: null, log: [] });
  await until(failed);
  await rm(join(folder, "instead"));
  const source = join(academy.dataDir, "files", (await rowOf(id)).source_key);
  await rename(source, `${source}-elsewhere`);
  await administrator.signInAgain();
  expect((await retry()).status).toBe(200);
  expect(await prepared(academy, id)).toMatchObject({
    ...{ state: "failed", attempts: 1, reason: "The uploaded file is no longer on the server. Upload it again." },
  });
  await rename(`${source}-elsewhere`, source);
  expect((await retry()).status).toBe(200);
  expect(await prepared(academy, id)).toMatchObject({ state: "ready", renditions: [{ width: 320 }] });
});

test("a video that is deleted while it converts leaves no file, no program and no email", async () => {
  await instead(
    hold.replace("exec sleep 1000", "i=0; while :; do i=$((i+1)); echo out_time_us=$((i*1000)); sleep 0.1; done"),
  );
  const before = (await filesOf()).videos;
  const emails = (await academy.mails()).length;
  const { rows } = await academy.pool.query("select id from users where email = 'admin@academy.test'");
  const id = await storeUpload(academy, film, { uploadedBy: rows[0].id });
  const pid = await holding();
  await rm(held);
  const { source_key, poster_key } = await rowOf(id);
  await academy.pool.query("delete from videos where id = $1", [id]);
  await isGone(pid);
  await until(async () => (await filesOf()).incoming.length === 0);
  const left = [...before, ...[source_key, poster_key].map((key: string) => key.slice("videos/".length))];
  expect((await filesOf()).videos.toSorted()).toEqual(left.toSorted());
  await academy.advance("10m");
  expect(await academy.mails()).toHaveLength(emails);
});

test("a node that stops gives its conversion back, and its next start takes it up [Z66]", async () => {
  await instead(hold);
  const id = await storeUpload(academy, film);
  const pid = await holding();
  await rm(held);
  await academy.stop();
  expect(await rowOf(id)).toMatchObject({ state: "waiting", attempts: 0, renditions: [] });
  await isGone(pid);

  await rm(join(folder, "instead"));
  await academy.start();
  expect(await prepared(academy, id)).toMatchObject({ state: "ready", renditions: [{ width: 320 }] });
});

test("a node that is killed leaves its conversion to the next, and no half file [Z65 Z66]", async () => {
  await using killed = await openAcademy({ FFMPEG_PATH: program });
  await instead(hold);
  const id = await storeUpload(killed, film, { pieces: 3 });
  const pid = await holding();
  await rm(held);
  await killed.kill();
  await isGone(pid);
  expect(await rowOf(id, killed)).toMatchObject({ state: "converting", attempts: 1, renditions: [] });

  await rm(join(folder, "instead"));
  // In this process it starts faster.
  await using next = await openAcademyInProcess({ FFMPEG_PATH: program, DATA_DIR: killed.dataDir }, killed.database);
  await next.advance("3m");
  expect(await prepared(next, id)).toMatchObject({ state: "ready", renditions: [{ width: 320 }] });
  await requireWholeFiles(id, killed);
  await until(async () => (await filesOf(killed)).incoming.length === 0);
});

/** How often something is killed at any instant: `faults.long.test.ts` says it. */
const kills = Number(process.env.CONVERSION_KILLS ?? 0);

/** Kills ffmpeg, or what stands for it, if it runs. */
async function killProgram(): Promise<void> {
  const pid = Number(await readlink(running).catch(() => ""));
  const path = await readlink(`/proc/${pid}/exe`).catch(() => "");
  if (pid > 0 && path.includes("ffmpeg")) process.kill(pid, "SIGKILL");
}

/** What a row names is in the store, whole. */
async function requireWholeFiles(id: string, { dataDir, pool }: RunningAcademy): Promise<void> {
  for (const { key, size, sha256 } of (await rowOf(id, { pool })).renditions) {
    const file = await readFile(join(dataDir, "files", key));
    expect([file.length, hash("sha256", file)]).toEqual([size, sha256]);
  }
}

if (kills > 0) {
  test("a node or an ffmpeg that is killed at any instant leaves no half file, and the video gets ready [Z65 Z66]", async () => {
    await using killed = await openAcademy({ FFMPEG_PATH: program });
    const twoSizes = await makeFilm(folder, "sizes.mp4", [...picture("640x480", 4), ...sound(4)]);
    // A generator of numbers from 0 to 1, so that a failure can be repeated.
    let seed = inject("seed");
    const random = () => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    for (let kill = 0; kill < kills; kill++) {
      const id = await storeUpload(killed, twoSizes, { pieces: 3 });
      // Not a wait for something: the instant of death is what varies.
      await delay(random() * 2000);
      if (kill % 2 === 0) await killProgram();
      else await killed.kill();
      await requireWholeFiles(id, killed);
      if (kill % 2 === 1) await killed.start();
      await killed.advance("2m");
      const video = await prepared(killed, id);
      expect(video, `seed ${inject("seed")}, kill ${kill}`).toMatchObject({ state: "ready", renditions: [{}, {}] });
      await requireWholeFiles(id, killed);
      await until(async () => (await filesOf(killed)).incoming.length === 0);
    }
  });
}

test("without ffmpeg, an MP4 of H.264 and AAC is ready as it is, and others are refused at their beginning", async () => {
  await using without = await openAcademyInProcess({ FFMPEG_PATH: join(folder, "nothing") });
  const [ready, cut, other] = await Promise.all(
    [film, film.subarray(0, -5000), await makeFilm(folder, "film.webm", [...picture(), "-c:v", "libvpx"])].map(
      async (content) => prepared(without, await storeUpload(without, content)),
    ),
  );
  const refusal =
    "This server can’t convert videos. Export the file as MP4 (H.264, AAC), or ask your server administrator to install ffmpeg.";
  expect(ready).toMatchObject({ state: "ready", renditions: [], length_seconds: 2, source_key: expect.any(String) });
  expect(cut).toMatchObject({ state: "failed", reason: expect.stringMatching(/^This file is damaged/) });
  expect(other.reason).toBe(refusal);

  const author = await inRole(without, "administrator");
  const sendStart = async (file: Buffer) => {
    const id = await beginUpload(author, { size: 2 * file.length });
    const answer = await sendPiece(author, id, 0, new Uint8Array(file));
    return answer.status === 204 ? 204 : [answer.status, ((await answer.json()) as { message: string }).message];
  };
  const mpeg4 = ["-c:v", "mpeg4", "-movflags", "faststart"];
  const [whole, hopeless] = [
    await makeFilm(folder, "fast.mp4", [...picture(), ...sound(), "-movflags", "faststart"]),
    await makeFilm(folder, "other.mov", [...picture(), ...mpeg4]),
  ];
  expect(await sendStart(hopeless)).toEqual([415, refusal]);
  expect(await sendStart(whole)).toBe(204);
});
