import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openAcademy } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { forFile } from "#test/fixtures.ts";
import { ffmpeg, makeFilm, picture, prepared, sound, storeUpload } from "#test/studio/films.ts";
import { folderOfFile } from "#test/temporary-folder.ts";
import { until } from "#test/until.ts";

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
await writeFile(program, `#!/bin/sh\n[ -e "${folder}/instead" ] && . "${folder}/instead"\nexec "${ffmpeg}" "$@"\n`, {
  mode: 0o755,
});
/** Resolves when the program holds a conversion. */
const holding = async () => until(async () => Number(await readFile(held, "utf8").catch(() => "")));
const isGone = (pid: number) =>
  until(async () => {
    try {
      process.kill(pid, 0);
      return false;
    } catch {
      return true;
    }
  });

const academy = await forFile(openAcademy({ FFMPEG_PATH: program }));
const filesOf = async () => {
  const store = join(academy.dataDir, "files");
  return { videos: await readdir(join(store, "videos")), incoming: await readdir(join(store, "incoming")) };
};
const rowOf = async (id: string) => (await academy.pool.query("select * from videos where id = $1", [id])).rows[0];

test.for<[string, string, string]>([
  ["fails", "echo no luck >&2; exit 1", "This file is damaged or incomplete."],
  [
    "writes garbage",
    'for last; do :; done; case "$*" in *libx264*) echo x >$last; exit 0;; esac',
    "The conversion failed.",
  ],
  ["needs too much memory", 'case "$*" in *libx264*) kill -9 $$;; esac', "The conversion needs more memory"],
])(
  "a conversion whose program %s fails in words after its tries, and can be tried again [Z65]",
  async ([, lines, says]) => {
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
  },
);

test("a node that stops gives its conversion back, and one that is killed leaves it to the next [Z66]", async () => {
  await instead(hold);
  const id = await storeUpload(academy, film);
  const first = await holding();
  await rm(held);
  await academy.stop();
  expect(await rowOf(id)).toMatchObject({ state: "waiting", attempts: 0, renditions: [] });
  await isGone(first);

  await academy.start();
  const second = await holding();
  await rm(held);
  await academy.kill();
  await isGone(second);
  expect(await rowOf(id)).toMatchObject({ state: "converting", attempts: 1, renditions: [] });

  await rm(join(folder, "instead"));
  await academy.start();
  await academy.advance("3m");
  expect(await prepared(academy, id)).toMatchObject({ state: "ready", renditions: [{ width: 320 }] });
});

test("without ffmpeg, an MP4 of H.264 and AAC is ready as it is, and anything else is refused in words", async () => {
  await using without = await openAcademyInProcess({ FFMPEG_PATH: join(folder, "nothing") });
  const [ready, cut, other] = await Promise.all(
    [film, film.subarray(0, -5000), await makeFilm(folder, "film.webm", [...picture(), "-c:v", "libvpx"])].map(
      async (content) => prepared(without, await storeUpload(without, content)),
    ),
  );
  expect(ready).toMatchObject({ state: "ready", renditions: [], length_seconds: 2, source_key: expect.any(String) });
  expect(cut).toMatchObject({ state: "failed", reason: expect.stringMatching(/^This file is damaged/) });
  expect(other.reason).toBe(
    "This server can’t convert videos. Export the file as MP4 (H.264, AAC), or ask your operator to install ffmpeg.",
  );
});
