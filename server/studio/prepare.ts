import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { after, MINUTE, SECOND } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { postEmail } from "#server/mail/student-emails.ts";
import { storageRefusal } from "#server/storage/storage-refusal.ts";
import { videoPreparedEmail } from "./emails.ts";
import { Failed, type Ffmpeg, type Film, ffmpegIn, maxSeconds, readFilm, sourceName, Unusable } from "./film.ts";
import { announcePlayable, schedulePreparation } from "./jobs.ts";
import { readPlain } from "./plain.ts";
import { convert, lengthOf, makePoster, sizesFor, workOf } from "./rendition.ts";
import { maxTries, recordStep, Superseded, startRun, type VideoRow } from "./runs.ts";
import { isFinal, sentenceFor } from "./sentences.ts";
import { dropNew, fetchSource, putNew } from "./source.ts";
import { videos } from "./tables.ts";

/**
 * Checks and converts one video. A node that dies leaves the video to the next one, and a node that stops gives it back.
 * @throws what the job's next try may get over
 */
export async function prepareVideo(
  ctx: Context,
  { videoId }: { readonly videoId: string },
  stopping: AbortSignal,
): Promise<void> {
  const video = await startRun(ctx, videoId);
  if (!video) return;
  if (video.attempts > maxTries) return fail(ctx, video, sentenceFor(null));
  const given = new AbortController();
  const signal = AbortSignal.any([stopping, given.signal]);
  try {
    const directory = await makeDirectory(ctx, video).catch((error) => {
      throw storageRefusal(error);
    });
    try {
      await work(ctx, video, { directory, signal, onSuperseded: () => given.abort() });
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  } catch (error) {
    if (error instanceof Superseded || given.signal.aborted) return;
    await settle(ctx, video, error, stopping.aborted).catch(unlessSuperseded);
  }
}

/** Makes a place to work in, and removes what killed runs of the video left on this node. */
async function makeDirectory({ storage: { incoming } }: Context, { id, run }: VideoRow): Promise<string> {
  const left = (await readdir(incoming)).filter((name) => name.startsWith(`video-${id}-`));
  for (const name of left) await rm(join(incoming, name), { recursive: true, force: true });
  const directory = join(incoming, `video-${id}-${run}`);
  await mkdir(directory, { mode: 0o700 });
  return directory;
}

interface Work {
  readonly directory: string;
  readonly signal: AbortSignal;
  readonly onSuperseded: () => void;
}

async function work(ctx: Context, video: VideoRow, { directory, signal, onSuperseded }: Work): Promise<void> {
  const onProgress = reportProgress(ctx, video, onSuperseded, (bytes) => Math.floor((100 * bytes) / video.size));
  const demuxer = await fetchSource(ctx, video, { directory, signal, onProgress });
  if (ctx.ffmpegPath === null) {
    const seconds = await readPlain(join(directory, sourceName), demuxer, signal);
    return finish(ctx, video, seconds);
  }
  const ffmpeg = ffmpegIn(directory, { program: ctx.ffmpegPath, signal });
  const film = await readFilm(ffmpeg, demuxer);
  const lengthSeconds = film.seconds === null ? null : Math.round(film.seconds);
  let row = await recordStep(ctx.db, video, { state: "converting", progress: 0, lengthSeconds });
  if (row.posterKey === null) row = await keepPoster(ctx, row, ffmpeg, film);
  const sizes = sizesFor(film);
  const all = sizes.reduce((sum, size) => sum + workOf(size), 0);
  // A run before this one may have made the first ones.
  let done = sizes.slice(0, row.renditions.length).reduce((sum, size) => sum + workOf(size), 0);
  for (const size of sizes.slice(row.renditions.length)) {
    const report = reportProgress(ctx, video, onSuperseded, (seconds) => {
      const part = Math.min(1, seconds / (film.seconds ?? maxSeconds));
      return Math.min(99, Math.floor((100 * (done + part * workOf(size))) / all));
    });
    row = await keepRendition(ctx, row, await convert(ffmpeg, film, size, report));
    done += workOf(size);
  }
  await finish(ctx, video, lengthOf(row.renditions[0]?.segments ?? []));
}

/** A conversion that takes longer is announced to who uploaded the video. */
const longConversion = 10 * MINUTE;

async function finish(ctx: Context, video: VideoRow, seconds: number): Promise<void> {
  const readyAt = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const ready = { state: "ready" as const, progress: 100, readyAt, reason: null, log: [] };
    const row = await recordStep(tx, video, { ...ready, lengthSeconds: Math.max(1, Math.round(seconds)) });
    await announcePlayable(tx, row, readyAt);
    if (video.uploadedAt && video.uploadedAt < after(readyAt, -longConversion)) await announce(tx, video, readyAt);
  });
}

/** Emails who uploaded it, once for each run. */
async function announce(tx: Db, { id, run, uploadedBy }: VideoRow, now: Date): Promise<void> {
  if (uploadedBy === null) return;
  const occasion = `${id} ${run}`;
  await postEmail(tx, videoPreparedEmail, { userId: uploadedBy, occasion, facts: { videoId: id } }, now);
}

/** The rendition can be played from the moment that the row names it. */
async function keepRendition(
  ctx: Context,
  row: VideoRow,
  { file, facts }: Awaited<ReturnType<typeof convert>>,
): Promise<VideoRow> {
  const { size, sha256 } = file;
  const key = await putNew(ctx, file);
  const renditions = [...row.renditions, { ...facts, key, size, sha256 }];
  return ctx.db
    .transaction(async (tx) => {
      const kept = await recordStep(tx, row, { renditions });
      if (renditions.length === 1) await announcePlayable(tx, kept, ctx.clock.now());
      return kept;
    })
    .catch((error) => dropNew(ctx, [key], error));
}

async function keepPoster(ctx: Context, row: VideoRow, ffmpeg: Ffmpeg, film: Film): Promise<VideoRow> {
  const picture = await makePoster(ffmpeg, film);
  if (!picture) return row;
  const posterKey = await putNew(ctx, picture);
  return recordStep(ctx.db, row, { posterKey }).catch((error) => dropNew(ctx, [posterKey], error));
}

const progressEvery = 2 * SECOND;

/** Also notices that the video was deleted, so that nothing is converted for nobody. */
function reportProgress(
  ctx: Context,
  video: VideoRow,
  onSuperseded: () => void,
  percentOf: (done: number) => number,
): (done: number) => void {
  let last = performance.now();
  return (done) => {
    if (performance.now() - last < progressEvery) return;
    last = performance.now();
    recordStep(ctx.db, video, { progress: percentOf(done), progressAt: ctx.clock.now() }).catch((error) => {
      if (error instanceof Superseded) onSuperseded();
      // An outage of the database is noticed when the result is recorded.
    });
  };
}

/** Records how a run ended that made no video. @throws the error, if the job's next try may get over it */
async function settle(ctx: Context, video: VideoRow, error: unknown, isStopping: boolean): Promise<void> {
  const now = ctx.clock.now();
  const isGivenBack = isStopping || (error instanceof Failed && error.ended.ending === "stopped");
  if (isGivenBack || (error instanceof Refusal && error.code === "unavailable")) {
    return ctx.db.transaction(async (tx) => {
      await recordStep(tx, video, { state: "waiting", attempts: sql`${videos.attempts} - 1` });
      await schedulePreparation(tx, video.id, isGivenBack ? now : after(now, MINUTE), now);
    });
  }
  if (error instanceof Unusable) return fail(ctx, video, error.message, error.log);
  const log = error instanceof Failed ? error.ended.log : [];
  if (isFinal(error) || video.attempts >= maxTries) {
    ctx.log.warn({ err: error, videoId: video.id }, "a video could not be converted");
    return fail(ctx, video, sentenceFor(error), log);
  }
  await recordStep(ctx.db, video, { state: "waiting", log: lastOf(log) });
  throw error;
}

async function fail(ctx: Context, video: VideoRow, reason: string, log: readonly string[] = []): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await recordStep(tx, video, { state: "failed", reason, log: lastOf(log) });
    await announce(tx, video, ctx.clock.now());
  });
}

const lastOf = (log: readonly string[]) => log.slice(-20);

function unlessSuperseded(error: unknown): void {
  if (!(error instanceof Superseded)) throw error;
}
