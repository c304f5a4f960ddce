import { HOUR, MINUTE } from "#server/base/clock.ts";
import type { demuxerOf } from "./container.ts";
import { type Ended, runLimited } from "./run-limited.ts";

/** What the file says of itself. */
export interface Film {
  readonly demuxer: NonNullable<ReturnType<typeof demuxerOf>>;
  /** Null where the file doesn't say, as recordings of browsers don't. */
  readonly seconds: number | null;
  /** Pixels of the shorter side as shown, whichever way it is turned. */
  readonly shortSide: number;
  /** Pixels aren't square. */
  readonly isStretched: boolean;
  /** Frames per second, as ffmpeg reads fractions. */
  readonly rate: string;
  readonly isHdr: boolean;
}

/** The video can't be used. The message tells the owner why and what to do. */
export class Unusable extends Error {
  override name = "Unusable";
  readonly log: readonly string[];

  constructor(message: string, log: readonly string[] = []) {
    super(message);
    this.log = log;
  }
}

/** ffmpeg ended without a result. @see sentenceFor */
export class Failed extends Error {
  override name = "Failed";
  readonly ended: Ended;

  constructor(ended: Ended) {
    super(`ffmpeg ${ended.ending} with ${ended.code}: ${ended.log.at(-1) ?? "no word"}`);
    this.ended = ended;
  }
}

/** ffmpeg did not look at the file, which therefore may be good. */
export class NotRead extends Failed {
  override name = "NotRead";
}

export interface Ffmpeg {
  readonly program: string;
  readonly megabytes: number;
  /** Where it works; holds `sourceName`. */
  readonly directory: string;
  readonly standstill?: number;
  readonly signal?: AbortSignal;
}

/** Enough for two threads and films of 8,192 pixels. */
const megabytes = 3000;

export function ffmpegIn(directory: string, run: Pick<Ffmpeg, "program" | "signal" | "standstill">): Ffmpeg {
  return { ...run, directory, megabytes };
}

/** In the work directory. */
export const sourceName = "source";
export const maxSeconds = (6 * HOUR) / 1000;
const maxSide = 8192;
export const noPicture = "This file has sound and no picture. Upload a video.";
export const damaged = "This file is damaged or incomplete. Export the video again and upload it.";

/** What stands before the input: one demuxer, one file, and no address. */
export const inputOf = (demuxer: Film["demuxer"]) => [
  "-nostdin",
  "-hide_banner",
  ...["-protocol_whitelist", "file", "-f", demuxer, "-i", `file:${sourceName}`],
];

/** What it prints when it has looked at the file: with a fault, or because nothing is to be written. */
const hasLooked = new RegExp(`file:${sourceName}\\b|At least one output file`);

/** Reads the file's facts. @throws Unusable, NotRead. */
export async function readFilm(ffmpeg: Ffmpeg, demuxer: Film["demuxer"]): Promise<Film> {
  const ended = await runLimited({ ...ffmpeg, args: inputOf(demuxer), maxBytes: 0, limit: MINUTE });
  const { ending, log } = ended;
  if (ending !== "exited" || !log.some((line) => hasLooked.test(line))) throw new NotRead(ended);
  const streams = log.flatMap((line) => /^\s*Stream #0:\d+.*?: (Video|Audio): (.*)$/.exec(line) ?? []);
  if (!log.some((line) => line.includes("Duration:")) || streams.length === 0) throw new Unusable(damaged, log);
  return { demuxer, seconds: secondsOf(log), ...pictureOf(log) };
}

function secondsOf(log: readonly string[]): number | null {
  const [, hours, minutes, rest] = find(log, /^\s*Duration: (\d+):(\d\d):(\d\d(?:\.\d+)?)/) ?? [];
  if (hours === undefined) return null;
  const seconds = Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
  requireLength(seconds);
  return seconds;
}

/** @throws Unusable. */
export function requireLength(seconds: number): void {
  if (seconds <= 0) throw new Unusable("This video is empty: it’s 0 seconds long. Export it again and upload it.");
  if (seconds > maxSeconds) {
    throw new Unusable(`This video is ${hoursOf(seconds)} long. Split it into parts of at most 6 hours.`);
  }
}

function pictureOf(log: readonly string[]): Pick<Film, "shortSide" | "isStretched" | "rate" | "isHdr"> {
  const lines = log.filter((line) => /^\s*Stream #0:\d+.*?: Video: /.test(line) && !line.includes("(attached pic)"));
  const line = lines[0];
  if (line === undefined) throw new Unusable(noPicture);
  const [, width, height, horizontal, vertical] = /, (\d+)x(\d+)(?: \[SAR (\d+):(\d+))?/.exec(line) ?? [];
  if (!Number(width) || !Number(height)) throw new Unusable(damaged, log);
  const shape = Number(horizontal) / Number(vertical) || 1;
  const sides = [Number(width) * shape, Number(height)];
  if (Math.max(...sides) > maxSide) {
    throw new Unusable(`This video has ${width} × ${height} pixels. Export it with at most ${maxSide} on each side.`);
  }
  return {
    shortSide: Math.floor(Math.min(...sides)),
    isStretched: shape !== 1,
    rate: rateOf(line),
    isHdr: /\b(smpte2084|arib-std-b67)\b/.test(line),
  };
}

/** Films with more frames, or an unknown number of them, get 30. All get a constant number. */
const maxRate = 60;
const fractions: Readonly<Record<string, string>> = {
  "23.98": "24000/1001",
  "29.97": "30000/1001",
  "59.94": "60000/1001",
};

function rateOf(line: string): string {
  // The average, and the rate of most frames, which is higher where frames were left out.
  const told = [/, ([\d.]+) tbr\b/, /, ([\d.]+) fps\b/].map((pattern) => pattern.exec(line)?.[1] ?? "");
  const rate = told.find((one) => Number(one) >= 1 && Number(one) <= maxRate) ?? "30";
  return fractions[rate] ?? rate;
}

function find(log: readonly string[], pattern: RegExp): RegExpExecArray | null {
  for (const line of log) {
    const found = pattern.exec(line);
    if (found) return found;
  }
  return null;
}

function hoursOf(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} hours and ${minutes % 60} minutes`;
}
