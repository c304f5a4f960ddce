import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { getVideo, retryVideo, tellHash } from "#contract/admin/studio.ts";
import { getCatalogue } from "#contract/catalogue.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { makeFilm, picture, prepared, sound, storeUpload } from "#test/studio/films.ts";
import { traceFfmpeg } from "#test/studio/trace.ts";
import { folderOfFile } from "#test/temporary-folder.ts";
import { until } from "#test/until.ts";

const folder = folderOfFile();
const trace = await traceFfmpeg(folder);
const { academy, administrator, test } = await academyOfFile(trace ? { FFMPEG_PATH: trace.program } : {});
const store = join(academy.dataDir, "files");

const prepare = async (content: Buffer, pieces = 1) =>
  prepared(academy, await storeUpload(academy, content, { pieces }));
const sizesOf = (renditions: readonly { readonly width: number; readonly height: number }[]) =>
  renditions.map(({ width, height }) => `${width}x${height}`);

test("an uploaded film becomes renditions that describe their files, and its pieces go", async () => {
  const film = await makeFilm(folder, "film.mp4", [...picture("640x480", 8), ...sound(8)]);
  const video = await prepare(film, 3);
  expect(video).toMatchObject({ state: "ready", progress: 100, length_seconds: 8, reason: null });
  expect(sizesOf(video.renditions)).toEqual(["480x360", "640x480"]);
  expect(await readFile(join(store, video.source_key))).toEqual(film);
  for (const { key, size, headerBytes, segments, codecs, bandwidth } of video.renditions) {
    const file = await readFile(join(store, key));
    expect(file.length).toBe(size);
    expect(segments.reduce((sum: number, [, bytes]: [number, number]) => sum + bytes, headerBytes)).toBe(size);
    expect(segments.map(([seconds]: [number]) => seconds)).toEqual([6, 2]);
    expect(codecs).toMatch(/^avc1\.64[0-9a-f]{4},mp4a\.40\.2$/);
    expect(bandwidth).toBeGreaterThan(1000);
  }
  expect((await readFile(join(store, video.poster_key))).subarray(0, 3).toString("hex")).toBe("ffd8ff");
  const named = [video.source_key, video.poster_key, ...video.renditions.map(({ key }: { key: string }) => key)];
  expect((await readdir(join(store, "videos"))).map((name) => `videos/${name}`).toSorted()).toEqual(named.toSorted());
  await until(async () => (await readdir(join(store, "incoming"))).length === 0);
});

const base = [...picture(), ...sound()];
await makeFilm(folder, "lying.mp4", base);
const turned = ["-i", join(folder, "lying.mp4")];

test.for<[string, readonly string[], string, string]>([
  ["of a phone held upright", [...turned, "-c", "copy", "-metadata:s:v:0", "rotate=90"], "mp4", "180x320"],
  ["with six channels", [...picture(), ...sound(2, "5.1"), "-ac", "6"], "mov", "320x180"],
  [
    "of a varying rate",
    [...picture(), "-vf", "select='not(between(mod(n,7),2,4))'", "-vsync", "vfr"],
    "mkv",
    "320x180",
  ],
  ["of stretched pixels", [...picture(), "-aspect", "4:3"], "mp4", "240x180"],
  ["of odd sizes and full colours in ten bits", [...picture("181x321"), "-pix_fmt", "yuv444p10le"], "mkv", "180x320"],
  ["from a browser, without a length", [...base, "-c:v", "libvpx", "-c:a", "libopus", "-live", "1"], "webm", "320x180"],
])("a film %s is converted", async ([, args, extension, size]) => {
  const video = await prepare(await makeFilm(folder, `film.${extension}`, args));
  expect(video).toMatchObject({ state: "ready", reason: null, length_seconds: 2 });
  expect(sizesOf(video.renditions)).toEqual([size]);
});

test("a film of high dynamic range gets usual colours", async () => {
  const hdr = "log-level=error:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc";
  const args = [...picture("160x90", 1), "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-x265-params", hdr];
  const video = await prepare(await makeFilm(folder, "hdr.mp4", args));
  expect(video).toMatchObject({ state: "ready", renditions: [{ codecs: expect.stringMatching(/^avc1\.6400/) }] });
});

const tenSeconds = [...picture("320x180", 10), ...sound(10), "-movflags", "faststart"];
const whole = await makeFilm(folder, "whole.mp4", tenSeconds);

test.for<[string, () => Promise<Buffer>, RegExp]>([
  ["is a playlist", async () => Buffer.from("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n"), /^This isn’t a video/],
  ["is a list of other files", async () => Buffer.from("ffconcat version 1.0\nfile /etc/passwd\n"), /^This isn’t a/],
  [
    "only begins like a film",
    async () => Buffer.from(`\0\0\0\x18ftypisom${"x".repeat(5000)}`),
    /^This file is damaged/,
  ],
  ["has only sound", () => makeFilm(folder, "sound.mp4", sound()), /^This file has sound and no picture/],
  ["lacks its end", async () => whole.subarray(0, -60_000), /^This file is damaged or incomplete/],
  ["lacks its beginning", async () => whole.subarray(-60_000), /^This isn’t a video/],
  [
    "is 20,000 pixels wide",
    () => makeFilm(folder, "wide.mov", [...picture("20000x64", 1, 1), "-c:v", "mjpeg", "-pix_fmt", "yuvj420p"]),
    /^This video has 20000 × 64 pixels/,
  ],
])("a file that %s fails in words [Z64]", async ([, content, sentence]) => {
  const video = await prepare(await content());
  expect(video).toMatchObject({ state: "failed", reason: expect.stringMatching(sentence), renditions: [] });
});

test("no file makes ffmpeg open another one or a connection [Z64]", async ({ skip }) => {
  if (!trace) return skip("strace is not installed, or may not trace");
  expect(await trace.breaches()).toEqual([]);
});

test("a lesson that was published before its upload was converted gets its length and picture", async () => {
  const id = await storeUpload(academy, await makeFilm(folder, "early.mp4", [...picture("320x180", 3), ...sound(3)]));
  await academy.pool.query("update lessons set video_id = $1, duration_seconds = 0 where id = 'lesson-1-2'", [
    `own:${id}`,
  ]);
  await prepared(academy, id);
  const student = await academy.member("basic");
  const lesson = await until(async () => {
    const { body } = await student.call(getCatalogue);
    return body.flatMap(({ lessons }) => lessons).find((one) => one.id === "lesson-1-2" && one.duration > 0);
  });
  expect(lesson).toMatchObject({ duration: 3, comingSoon: false, thumbnail: expect.stringContaining("poster") });
});

test("an upload that arrived differently fails, before and after its conversion, and again when it is retried", async () => {
  const film = await makeFilm(folder, "differs.mp4", [...picture("320x180", 1), ...sound(1)]);
  const uploadedBy = await administrator.id();
  const differs = { state: "failed", reason: expect.stringMatching(/^What arrived differs/), renditions: [] };
  const tell = (id: string, sha256: string) => administrator.call(tellHash, { params: { id }, body: { sha256 } });
  const after = await storeUpload(academy, film, { uploadedBy });
  const { sha256 } = await prepared(academy, after);
  expect((await tell(after, sha256)).body.state).toBe("ready");
  expect((await tell(after, "0".repeat(64))).body.state).toBe("failed");
  expect(await prepared(academy, after)).toMatchObject(differs);
  await administrator.call(retryVideo, { params: { id: after } });
  expect(await prepared(academy, after)).toMatchObject(differs);

  const before = await storeUpload(academy, film, { uploadedBy });
  await academy.pool.query("update videos set told_sha256 = $2 where id = $1", [before, "0".repeat(64)]);
  await prepared(academy, before);
  expect((await administrator.call(getVideo, { params: { id: before } })).body).toMatchObject(differs);
});
