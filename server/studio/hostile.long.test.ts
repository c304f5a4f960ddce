import { join } from "node:path";
import { expect, test } from "vitest";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { forFile } from "#test/fixtures.ts";
import { makeFilm, picture, prepared, sound, storeUpload } from "#test/studio/films.ts";
import { traceFfmpeg } from "#test/studio/trace.ts";
import { folderOfFile } from "#test/temporary-folder.ts";

const folder = folderOfFile();
const trace = await traceFfmpeg(folder);
const academy = await forFile(openAcademyInProcess(trace ? { FFMPEG_PATH: trace.program } : {}));

// 1. Boxes of MP4.

const box = (type: string, ...contents: (Buffer | string)[]) => {
  const content = Buffer.concat(contents.map((one) => Buffer.from(one as string)));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, content]);
};
const number = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};
const ftyp = box("ftyp", "isom", number(512), "isomiso2avc1mp41");
const nested = (types: readonly string[], depth: number) => {
  let all = Buffer.alloc(0);
  for (let level = depth; level > 0; level--) all = box(types[level % types.length] ?? "moov", all);
  return all;
};

/** Changes numbers of the first box of this type, by their offsets after its name. */
function changed(film: Buffer, type: string, numbers: Readonly<Record<number, number>>): Buffer {
  const copy = Buffer.from(film);
  const at = copy.indexOf(type, 0, "latin1");
  if (at < 0) throw new Error(`the film has no ${type}`);
  for (const [offset, value] of Object.entries(numbers)) copy.writeUInt32BE(value >>> 0, at + 4 + Number(offset));
  return copy;
}

/** Has the first track read its samples from another file. The boxes around `dref` grow with it. */
function withReference(film: Buffer, reference: Buffer): Buffer {
  const at = film.indexOf("dref", 0, "latin1") - 4;
  const old = film.readUInt32BE(at);
  const grown = box("dref", number(0), number(1), reference);
  const copy = Buffer.concat([film.subarray(0, at), grown, film.subarray(at + old)]);
  for (const type of ["moov", "trak", "mdia", "minf", "dinf"]) {
    const size = film.lastIndexOf(type, at, "latin1") - 4;
    copy.writeUInt32BE(film.readUInt32BE(size) + grown.length - old, size);
  }
  return copy;
}
/** An alias of QuickTime, whose path is absolute. */
const alias = (path: string) => {
  const name = Buffer.alloc(150);
  const length = Buffer.alloc(4);
  length.writeUInt16BE(2);
  length.writeUInt16BE(path.length, 2);
  return box("alis", number(0), name, length, path, path.length % 2 ? "\0" : "", Buffer.from([0xff, 0xff, 0, 0]));
};

const film = await makeFilm(folder, "film.mp4", [...picture("320x180", 4), ...sound(4)]);
const matroska = await makeFilm(folder, "film.mkv", [...picture("320x180", 4), ...sound(4)]);

/** With one byte in so many replaced, the same ones each time. */
function spoiled(content: Buffer, every: number, from = 64): Buffer {
  const copy = Buffer.from(content);
  for (let at = from; at < copy.length; at += every) copy[at] = (at * 131) % 251;
  return copy;
}
function without(content: Buffer, from: number, to: number): Buffer {
  const copy = Buffer.from(content);
  return copy.fill(0, Math.floor(copy.length * from), Math.floor(copy.length * to));
}

const scripts = {
  "HLS of a file": "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n",
  "HLS of an address": "#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n",
  "a list of files": "ffconcat version 1.0\nfile /etc/passwd\nfile http://127.0.0.1:9/a\n",
  DASH: '<?xml version="1.0"?><MPD><BaseURL>http://127.0.0.1:9/</BaseURL></MPD>',
  "a description of a session": "v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\n",
  "a picture with an address": '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
};
const readsNothing = /^This isn’t a video that we can read/;
const isDamaged = /^This file is damaged or incomplete/;

/** Either it gets ready, or it fails in a sentence. */
const either = /^(This|The|We) .*\.$/;
type Case = readonly [content: Buffer | (() => Promise<Buffer>), expected: "ready" | RegExp];
const made = (extension: string, args: readonly string[], expected: Case[1]): Case => [
  () => makeFilm(folder, `made-${crypto.randomUUID()}.${extension}`, args),
  expected,
];
const turned = (degrees: number) =>
  made("mp4", ["-i", join(folder, "film.mp4"), "-c", "copy", "-metadata:s:v:0", `rotate=${degrees}`], "ready");
const hlg = "log-level=error:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc";

/** Besides those of `prepare.integration.test.ts`. */
const cases: Readonly<Record<string, Case>> = {
  ...Object.fromEntries(Object.entries(scripts).map(([name, text]) => [name, [Buffer.from(text), readsNothing]])),
  ...Object.fromEntries(
    Object.entries(scripts).map(([name, text]) => [
      `${name}, which begins like a film`,
      [Buffer.concat([ftyp, Buffer.from(`\n${text}`)]), isDamaged],
    ]),
  ),
  "a program": [Buffer.from("\x7fELF\x02\x01\x01"), readsNothing],
  "a head alone": [ftyp, isDamaged],
  "boxes 1,000 deep": [Buffer.concat([ftyp, nested(["moov", "trak", "mdia", "minf", "stbl"], 1000)]), isDamaged],
  "boxes 50,000 deep": [Buffer.concat([ftyp, nested(["udta", "meta", "ilst"], 50_000)]), isDamaged],
  "100,000 boxes": [Buffer.concat([ftyp, ...Array.from({ length: 100_000 }, () => box("free"))]), isDamaged],
  "a box without an end": [Buffer.concat([ftyp, Buffer.from("\xff\xff\xff\xffmoov", "latin1")]), isDamaged],
  "a box of 2^63 bytes": [
    Buffer.concat([ftyp, number(1), Buffer.from("mdat"), number(0x7fffffff), number(0xffffffff)]),
    isDamaged,
  ],
  "4 billion samples": [changed(film, "stsz", { 8: 0xffffffff }), either],
  "4 billion times": [changed(film, "stts", { 4: 0xffffffff }), either],
  "chunks beyond the end": [changed(film, "stco", { 8: 0xfffffff0 }), either],
  "4 billion descriptions": [changed(film, "stsd", { 4: 0xffffffff }), either],
  "no units of time": [changed(film, "mdhd", { 12: 0 }), either],
  "a false length": [changed(film, "mvhd", { 16: 0xfffffff0 }), either],
  "an edit of 600 hours": [changed(film, "elst", { 8: 0x7ffffff0 }), either],
  "another size than its pictures": [changed(film, "avc1", { 24: 0x1fff1fff }), either],
  "a reference to a file": [withReference(film, alias("/etc/passwd")), either],
  "a reference to an address": [withReference(film, box("url ", number(0), "http://127.0.0.1:9/a.mp4\0")), either],
  "an end that is missing": [film.subarray(0, film.length * 0.9), isDamaged],
  "a beginning alone": [matroska.subarray(0, matroska.length / 2), isDamaged],
  "few spoiled bytes": [spoiled(matroska, 997), either],
  "many spoiled bytes": [spoiled(matroska, 13), either],
  "spoiled boxes": [spoiled(film, 5, film.length - 2000), either],
  "a hole": [without(film, 0.3, 0.5), either],
  "nothing but a head in Matroska": [matroska.subarray(0, 40), isDamaged],
  "Matroska of 2^56 bytes": [Buffer.concat([Buffer.from("1a45dfa301ffffffffffffff", "hex"), matroska]), isDamaged],
  "two films in one file": [Buffer.concat([film, film]), either],
  "a film and a playlist": [Buffer.concat([film, Buffer.from(scripts["HLS of a file"])]), "ready"],

  // 2. Films.
  "sound alone in Matroska": made("mkv", sound(), /^This file has sound and no picture/),
  "one picture": made("mp4", [...picture(), "-frames:v", "1"], either),
  "no picture": made("mp4", [...picture(), "-t", "0"], either),
  "8,000 pixels": made("mov", [...picture("8000x32", 1, 1), "-c:v", "mjpeg", "-pix_fmt", "yuvj420p"], either),
  "two pixels": made("mkv", [...picture("2x2"), "-c:v", "ffv1"], either),
  "one pixel": made("mkv", [...picture("1x1"), "-c:v", "ffv1"], either),
  "half a turn": turned(180),
  "three quarters of a turn": turned(270),
  "240 pictures a second": made("mp4", picture("160x90", 1, 240), "ready"),
  "a picture each ten seconds": made(
    "mp4",
    ["-f", "lavfi", "-i", "testsrc=size=160x90:rate=1/10:duration=30"],
    "ready",
  ),
  "eight hours in eight pictures": made(
    "mkv",
    ["-f", "lavfi", "-i", "testsrc=size=160x90:rate=1/3600:duration=28800"],
    /Split it into parts of at most 6 hours/,
  ),
  "a beginning after an hour": made("mkv", [...picture(), ...sound(), "-output_ts_offset", "3600"], either),
  "high dynamic range (HLG)": made(
    "mp4",
    [...picture("160x90", 1), "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-x265-params", hlg],
    "ready",
  ),
  "full colors in 10 bits": made("mkv", [...picture(), "-pix_fmt", "yuv444p10le"], "ready"),
  transparency: made("mov", [...picture(), "-c:v", "qtrle", "-pix_fmt", "argb"], "ready"),
  "interlaced lines": made("mp4", [...picture(), "-flags", "+ildct+ilme"], "ready"),
  "eight channels at 96 kHz": made("mkv", [...picture(), ...sound(2, "7.1"), "-c:a", "flac", "-ar", "96000"], "ready"),
  "30 tracks of sound": made(
    "mkv",
    [...picture(), ...sound(), ...Array.from({ length: 30 }, () => ["-map", "1:a"]).flat(), "-map", "0:v"],
    "ready",
  ),
  "an old codec": made("mov", [...picture(), "-c:v", "mpeg4"], "ready"),
  "a film of a browser": made("webm", [...picture(), "-c:v", "libvpx-vp9", "-live", "1"], "ready"),
  "pixels ten times as high as wide": made("mp4", [...picture(), "-aspect", "1:10"], either),
};

test.for(Object.entries(cases))(
  "%s: the video gets ready, or fails in words [Z64]",
  async ([, [content, expected]]) => {
    const bytes = typeof content === "function" ? await content() : content;
    const video = await prepared(academy, await storeUpload(academy, bytes));
    if (expected === "ready" || video.state === "ready") {
      expect([video.state, video.reason, video.log]).toEqual(["ready", null, []]);
      expect(video.renditions.length).toBeGreaterThan(0);
    }
    if (expected !== "ready" && (expected !== either || video.state === "failed")) {
      expect([video.state, video.reason]).toEqual(["failed", expect.stringMatching(expected)]);
      expect(video.renditions).toEqual([]);
    }
  },
);

test("none of them makes ffmpeg open another file or a connection [Z64]", async (context) => {
  if (!trace) return context.skip("strace is not installed, or may not trace");
  expect(Object.keys(cases).length).toBeGreaterThanOrEqual(60);
  expect(await trace.breaches()).toEqual([]);
});
