import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { MINUTE } from "#server/base/clock.ts";
import type { WholeFile } from "#server/storage/storage.ts";
import { readStart } from "./container.ts";
import { damaged, Failed, type Ffmpeg, type Film, inputOf, maxSeconds, Unusable } from "./film.ts";
import { runLimited } from "./run-limited.ts";
import type { Rendition } from "./tables.ts";

/** Bits per second at most, by pixels of the shorter side. */
const rates = [
  [360, 800_000],
  [720, 2_800_000],
  [1080, 5_000_000],
] as const;
const soundRate = 128_000;
const largest = 1080;
const segmentSeconds = 6;
const keyframeSeconds = 2;

/**
 * Pixels of the shorter side of each rendition, smallest first. None is larger than the film; one in between the usual
 * sizes is added, so that a recorded window of 700 lines stays readable.
 */
export function sizesFor({ shortSide }: Pick<Film, "shortSide">): number[] {
  const top = Math.min(even(shortSide), largest);
  return [...rates.map(([size]) => size).filter((size) => size < top * 0.9), top];
}

const even = (pixels: number) => Math.max(2, pixels - (pixels % 2));
const rateFor = (size: number) => rates.find(([limit]) => size <= limit)?.[1] ?? rates[2][1];

/** How much work a rendition is, to weigh the progress. */
export const workOf = (size: number) => size ** 2;

export interface Converted {
  readonly file: WholeFile;
  readonly facts: Omit<Rendition, "key" | "size" | "sha256">;
}

/** Writes one rendition as a file of its own in the work directory. @throws Unusable, Failed. */
export async function convert(
  ffmpeg: Ffmpeg,
  film: Film,
  size: number,
  onProgress: (seconds: number) => void,
): Promise<Converted> {
  const name = `${size}.mp4`;
  const playlist = `${size}.m3u8`;
  const rate = rateFor(size);
  const length = film.seconds ?? maxSeconds;
  const ended = await runLimited({
    ...ffmpeg,
    args: [
      ...["-loglevel", "warning", "-nostats", "-progress", "pipe:1", "-y"],
      ...["-threads", "1", ...inputOf(film.demuxer)],
      ...["-map", "0:V:0", "-map", "0:a:0?", "-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1"],
      ...["-t", String(maxSeconds + 1), "-max_muxing_queue_size", "4096"],
      ...["-vf", filtersFor(film, size), "-c:v", "libx264", "-preset", "veryfast", "-crf", "22", "-threads", "2"],
      ...["-maxrate", String(rate), "-bufsize", String(rate * 2), "-sc_threshold", "0"],
      ...["-force_key_frames", `expr:gte(t,n_forced*${keyframeSeconds})`],
      ...["-c:a", "aac", "-b:a", String(soundRate), "-ac", "2", "-ar", "48000"],
      ...["-f", "hls", "-hls_time", String(segmentSeconds), "-hls_playlist_type", "vod"],
      ...["-hls_segment_type", "fmp4", "-hls_flags", "single_file", "-hls_segment_filename", name, playlist],
    ],
    maxBytes: 50_000_000 + 1.5 * length * ((rate + soundRate) / 8),
    limit: 8 * length * 1000 + 10 * MINUTE,
    onProgress,
  });
  if (ended.ending !== "exited" || ended.code !== 0) throw new Failed(ended);
  try {
    const facts = await readFacts(ffmpeg.directory, { name, playlist });
    requireWhole(film, facts.segments, ended.log);
    return { file: await describe(join(ffmpeg.directory, name)), facts };
  } catch (error) {
    if (error instanceof Unusable) throw error;
    throw new Failed({ ...ended, log: [...ended.log, String(error)] });
  }
}

/** A picture from near the beginning; null when none can be made. */
export async function makePoster(ffmpeg: Ffmpeg, film: Film): Promise<WholeFile | null> {
  const at = Math.min(10, Math.floor((film.seconds ?? 0) / 4));
  const { ending, code } = await runLimited({
    ...ffmpeg,
    args: [
      ...["-loglevel", "warning", "-y", "-ss", String(at), "-threads", "1", ...inputOf(film.demuxer)],
      ...["-map", "0:V:0", "-frames:v", "1", "-vf", filtersFor(film, Math.min(720, even(film.shortSide)))],
      ...["-q:v", "4", "-f", "image2", "poster.jpg"],
    ],
    maxBytes: 5_000_000,
    limit: 2 * MINUTE,
  });
  const path = join(ffmpeg.directory, "poster.jpg");
  if (ending === "stopped" || code !== 0) return null;
  return describe(path).catch(() => null);
}

/** The film's rotation is applied before. Sizes are even, as H.264 needs them. */
function filtersFor({ rate, isStretched, isHdr }: Film, size: number): string {
  return [
    `fps=${rate}`,
    ...(isStretched ? ["scale=trunc(iw*sar/2)*2:trunc(ih/2)*2", "setsar=1"] : []),
    `scale='if(gte(iw,ih),-2,${size})':'if(gte(iw,ih),${size},-2)'`,
    ...(isHdr ? toneMapping : []),
    "format=yuv420p",
  ].join(",");
}

const toneMapping = [
  ...["zscale=t=linear:npl=100", "format=gbrpf32le", "zscale=p=bt709", "tonemap=hable:desat=0"],
  "zscale=t=bt709:m=bt709:r=tv",
];

/** Reads the playlist that ffmpeg wrote, and requires that it describes the whole file. @throws Error. */
async function readFacts(
  directory: string,
  { name, playlist }: { readonly name: string; readonly playlist: string },
): Promise<Converted["facts"]> {
  const path = join(directory, name);
  const { headerBytes, segments } = parsePlaylist(await readFile(join(directory, playlist), "utf8"));
  const total = segments.reduce((sum, [, bytes]) => sum + bytes, headerBytes);
  if (total !== (await stat(path)).size) throw new Error("the playlist does not describe the whole file");
  const header = await readStart(path, headerBytes);
  return { ...readHeader(header), headerBytes, segments, bandwidth: peakOf(segments) };
}

function parsePlaylist(text: string): Pick<Rendition, "headerBytes" | "segments"> {
  const header = /^#EXT-X-MAP:URI="[^"]*",BYTERANGE="(\d+)@0"$/m.exec(text)?.[1];
  if (header === undefined || !text.includes("#EXT-X-ENDLIST")) throw new Error("the playlist is not whole");
  const headerBytes = Number(header);
  let end = headerBytes;
  const segments = Array.from(
    text.matchAll(/^#EXTINF:([\d.]+),\s*#EXT-X-BYTERANGE:(\d+)@(\d+)$/gm),
    ([, seconds, bytes, start]) => {
      if (Number(start) !== end) throw new Error("the playlist has a gap");
      end += Number(bytes);
      return [Number(seconds), Number(bytes)] as const;
    },
  );
  if (segments.length === 0) throw new Error("the playlist is empty");
  return { headerBytes, segments };
}

/** From the boxes that describe the samples. */
function readHeader(header: Buffer): Pick<Rendition, "width" | "height" | "codecs"> {
  const box = (type: string) => {
    const at = header.indexOf(type, 0, "latin1");
    return at < 0 ? null : header.subarray(at + 4);
  };
  const avcC = box("avcC");
  const avc1 = box("avc1");
  if (!avcC || !avc1) throw new Error("the file has no H.264");
  const codecs = [`avc1.${avcC.toString("hex", 1, 4)}`, ...(box("mp4a") ? ["mp4a.40.2"] : [])];
  return { width: avc1.readUInt16BE(24), height: avc1.readUInt16BE(26), codecs: codecs.join(",") };
}

function peakOf(segments: Rendition["segments"]): number {
  return Math.ceil(Math.max(...segments.map(([seconds, bytes]) => (bytes * 8) / Math.max(seconds, 1))));
}

/** A file that ends early converts as far as it goes: nobody should publish half a lesson. @throws Unusable. */
function requireWhole({ seconds }: Film, segments: Rendition["segments"], log: readonly string[]): void {
  const length = lengthOf(segments);
  if (length > maxSeconds) throw new Unusable("This video is longer than 6 hours. Split it into parts.", log);
  if (seconds !== null && length < seconds - Math.max(2, seconds * 0.05)) throw new Unusable(damaged, log);
}

export const lengthOf = (segments: Rendition["segments"]) => segments.reduce((sum, [seconds]) => sum + seconds, 0);

/** What the store asks of a file. */
async function describe(path: string): Promise<WholeFile> {
  const sha256 = createHash("sha256");
  await pipeline(createReadStream(path), sha256);
  return { path, size: (await stat(path)).size, sha256: sha256.digest("hex") };
}
