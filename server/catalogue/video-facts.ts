import { and, asc, eq, isNotNull, ne, sql } from "drizzle-orm";
import { z } from "zod";
import type { VideoCheck, VideoProblem } from "#contract/admin/videos.ts";
import { noVideo, parseVideoId, type VideoId } from "#contract/video-id.ts";
import { after, DAY, MINUTE } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { deleteOwnFile } from "#server/storage/owner.ts";
import type { videoPlayableJob } from "#server/studio/jobs.ts";
import { findUpload, uploadIdOf, whyUnplayable } from "#server/studio/playable.ts";
import { NoDescription } from "#server/video/outgoing.ts";
import { findSample } from "#server/video/samples.ts";
import { UnplayableVideo } from "#server/video/video.ts";
import { keepPicture, type Poster } from "./posters.ts";
import { lessons, modules, videoFacts } from "./tables.ts";

export const inspectVideoJob = defineJob("inspect-video", z.object({ videoId: z.string(), tries: z.number() }));

/** Facts that are older are looked up again when somebody saves the video. */
const goodFor = DAY;

/** Schedules a job that asks the service, so that saving does not wait for it. */
export async function requestInspection(ctx: Context, tx: Db, videoId: string, now: Date): Promise<void> {
  if (!ctx.video.isDescribed(videoId)) return;
  const [known] = await tx
    .insert(videoFacts)
    .values({ videoId, requestedAt: now })
    .onConflictDoNothing()
    .returning({ videoId: videoFacts.videoId });
  if (!known) {
    const [row] = await tx.select().from(videoFacts).where(eq(videoFacts.videoId, videoId)).for("update");
    if (!row || row.requestedAt > after(now, -goodFor)) return;
    await tx.update(videoFacts).set({ requestedAt: now }).where(eq(videoFacts.videoId, videoId));
  }
  await scheduleInspection(tx, { videoId, tries: 0 }, now, now);
}

function scheduleInspection(db: Db, data: { videoId: string; tries: number }, runAt: Date, now: Date): Promise<void> {
  return scheduleJob(db, inspectVideoJob, { data, key: `${data.videoId} ${data.tries}`, runAt, now });
}

/** Pauses of 1, 4, 16 minutes and so on, up to a day. */
const pause = (tries: number) => Math.min(DAY, MINUTE * 4 ** Math.min(tries, 8));

/** Asks the service once and, if it does not answer, schedules a retry, as long as content names the video. */
export async function inspectVideoOnce(
  ctx: Context,
  { videoId, tries }: z.output<typeof inspectVideoJob.schema>,
): Promise<void> {
  try {
    const now = ctx.clock.now();
    const { pictureUrl, ...facts } = await ctx.video.inspect(videoId, now);
    const record = (poster: Partial<Poster>) => recordFacts(ctx, videoId, { ...facts, ...poster, checkedAt: now });
    await keepPicture(ctx, pictureUrl).then(record, async (error: unknown) => {
      // Meanwhile records what is known without the picture.
      if (error instanceof NoDescription) await record({ posterReason: pictureComes });
      throw error;
    });
  } catch (error) {
    if (!(error instanceof NoDescription)) throw error;
    ctx.log.info({ videoId, reason: error.message }, "a video is not described yet");
    const now = ctx.clock.now();
    await scheduleInspection(ctx.db, { videoId, tries: tries + 1 }, after(now, pause(tries)), now);
  }
}

/** More are left to their jobs, so that publishing a whole course waits for at most this many answers. */
const maxAskedAtOnce = 10;

/** Asks about videos that were saved a moment ago, without waiting for their jobs. */
export async function inspectWaiting(ctx: Context, videoIds: readonly string[]): Promise<void> {
  const waiting: string[] = [];
  for (const videoId of new Set(videoIds)) {
    if (stateOf(ctx, videoId, await findVideoFacts(ctx.db, videoId)).state === "waiting") waiting.push(videoId);
  }
  await Promise.all(waiting.slice(0, maxAskedAtOnce).map((videoId) => inspectVideoOnce(ctx, { videoId, tries: 0 })));
}

const pictureComes = "We couldn't get it yet. We'll try again automatically.";

type FactsRow = typeof videoFacts.$inferSelect;

/** Gives lessons without a length the video's. Schedules the deletion of a picture that the facts no longer name. */
async function recordFacts(ctx: Context, videoId: string, facts: Partial<FactsRow>): Promise<void> {
  const { durationSeconds } = facts;
  const before = await ctx.db.transaction(async (tx) => {
    const [row] = await tx.select().from(videoFacts).where(eq(videoFacts.videoId, videoId)).for("update");
    await tx.update(videoFacts).set(facts).where(eq(videoFacts.videoId, videoId));
    const withoutLength = and(eq(lessons.videoId, videoId), eq(lessons.durationSeconds, 0));
    if (durationSeconds) await tx.update(lessons).set({ durationSeconds }).where(withoutLength);
    return row?.posterKey;
  });
  if (before && facts.posterKey !== undefined) await deleteOwnFile(ctx, before);
}

/** Gives lessons with an uploaded video its length unless they have one, and has all pages written with its picture. */
export async function showUpload(
  { db }: Context,
  { videoId }: z.output<typeof videoPlayableJob.schema>,
): Promise<void> {
  const upload = await findUpload(db, videoId);
  if (!upload?.lengthSeconds) return;
  const isUnknown = eq(lessons.durationSeconds, 0);
  // Every update of lessons makes the pages anew.
  const durationSeconds = sql`case when ${isUnknown} then ${upload.lengthSeconds} else ${lessons.durationSeconds} end`;
  await db.update(lessons).set({ durationSeconds }).where(eq(lessons.videoId, videoId));
}

/** @param posterAddress where authors of the course see its picture */
export async function describeVideo(ctx: Context, videoId: string, posterAddress: string): Promise<VideoCheck> {
  const row = await factsOf(ctx, videoId);
  const video = parseVideoId(videoId);
  const { state, reason } = stateOf(ctx, videoId, row);
  const hasPoster = video?.provider === "sample" ? findSample(video.id, "poster") !== null : !!row?.posterKey;
  return {
    videoId,
    state,
    reason,
    title: row?.title ?? null,
    duration: row?.durationSeconds ?? null,
    poster: hasPoster ? posterAddress : null,
    noDuration: (video && !row?.durationSeconds && whyNoDuration(video, state)) || null,
    noPoster: (video && !hasPoster && whyNoPoster(video, state, row?.posterReason ?? null)) || null,
    checkedAt: row?.checkedAt?.toISOString() ?? null,
  };
}

/** Stored facts, or those read from a sample's file, because seeded lessons were never saved and checked. */
async function factsOf(
  ctx: Context,
  videoId: string,
): Promise<(Partial<FactsRow> & Pick<FactsRow, "checkedAt" | "isPlayable" | "reason">) | undefined> {
  const row = await findVideoFacts(ctx.db, videoId);
  if (row?.checkedAt || parseVideoId(videoId)?.provider !== "sample") return row;
  const now = ctx.clock.now();
  return { ...(await ctx.video.inspect(videoId, now)), checkedAt: now };
}

/** Whether it plays and, if not, why. */
function stateOf(
  { video, clock }: Context,
  videoId: string,
  row: Pick<FactsRow, "checkedAt" | "isPlayable" | "reason"> | undefined | null,
): Pick<VideoCheck, "state" | "reason"> {
  const unplayable = (reason: string) => ({ state: "unplayable" as const, reason });
  try {
    video.sourceOf(videoId, 0, clock.now());
  } catch (error) {
    if (!(error instanceof UnplayableVideo)) throw error;
    const provider = parseVideoId(videoId)?.provider;
    if (!provider) return unplayable("We don’t recognize its address.");
    return unplayable(`${services[provider]} isn’t set up on this server. Ask your server administrator.`);
  }
  if (uploadIdOf(videoId) === null && !video.isDescribed(videoId)) return { state: "untold", reason: null };
  if (!row?.checkedAt) return { state: "waiting", reason: null };
  return row.isPlayable ? { state: "playable", reason: null } : unplayable(row.reason ?? "It doesn’t play.");
}

const services = {
  own: "The upload",
  sample: "The sample",
  file: "The file",
  hls: "The playlist",
  youtube: "YouTube",
  vimeo: "Vimeo",
  bunny: "Bunny",
  mux: "Mux",
} as const;

function whyNoDuration({ provider, id }: VideoId, state: VideoCheck["state"]): string | null {
  const service = services[provider];
  if (state === "untold") {
    if (provider === "hls") return "We can’t look up the length of playlists. Enter it.";
    return `We couldn’t look up the length, because ${new URL(id).host} isn’t an allowed video host. Enter it.`;
  }
  if (state !== "playable") return null;
  const isNeverTold = provider === "youtube" || provider === "bunny";
  return isNeverTold ? `${service} doesn’t share lengths. Enter it.` : `${service} doesn’t have a length. Enter it.`;
}

function whyNoPoster({ provider }: VideoId, state: VideoCheck["state"], reason: string | null): string | null {
  const service = services[provider];
  if (provider === "file" || provider === "hls")
    return `${service} comes without a picture. Players show a frame of the video.`;
  if (state !== "playable" || provider === "own") return null;
  return reason ? `We can’t show the picture from ${service}. ${reason}` : `${service} has no picture of it.`;
}

/** The published lessons and modules whose video does not play. Not those that are coming soon. */
export async function listUnplayable(ctx: Context): Promise<VideoProblem[]> {
  const ofLessons = await ctx.db
    .select({ id: lessons.id, title: lessons.title, videoId: lessons.videoId, facts: videoFacts })
    .from(lessons)
    .leftJoin(videoFacts, eq(videoFacts.videoId, lessons.videoId))
    .where(
      and(lessons.released, eq(lessons.comingSoon, false), eq(lessons.kind, "video"), ne(lessons.videoId, noVideo)),
    )
    .orderBy(asc(lessons.moduleId), asc(lessons.position));
  const ofModules = await ctx.db
    .select({ id: modules.id, title: modules.title, videoId: sql<string>`${modules.introVideo}`, facts: videoFacts })
    .from(modules)
    .leftJoin(videoFacts, eq(videoFacts.videoId, modules.introVideo))
    .where(and(modules.released, isNotNull(modules.introVideo)))
    .orderBy(asc(modules.position));
  const problems: VideoProblem[] = [];
  const add = async (kind: VideoProblem["kind"], rows: typeof ofLessons) => {
    for (const { id, title, videoId, facts } of rows) {
      const { state, reason } = stateOf(ctx, videoId, facts ?? (await findUploadFacts(ctx.db, videoId)));
      if (state === "unplayable" && reason !== null) problems.push({ kind, id, title, reason });
    }
  };
  await add("lesson", ofLessons);
  await add("module", ofModules);
  return problems;
}

/** What an editor should know before publishing; null when the video plays and has a length. */
export async function doubtAbout(
  ctx: Context,
  tx: Db,
  { videoId, duration }: { videoId: string; duration?: number },
  isNew: boolean,
): Promise<string | null> {
  const facts = await findVideoFacts(tx, videoId);
  const { state, reason } = stateOf(ctx, videoId, facts);
  if (state === "unplayable" || !isNew) return reason;
  if (duration === 0 && !facts?.durationSeconds) {
    return "We don’t know the video’s length yet. Until we do, students see the lesson as coming soon.";
  }
  return state === "playable" ? null : "We couldn’t check this video.";
}

export async function findVideoFacts(tx: Db, videoId: string): Promise<FactsRow | undefined> {
  if (uploadIdOf(videoId) !== null) return findUploadFacts(tx, videoId);
  const [row] = await tx.select().from(videoFacts).where(eq(videoFacts.videoId, videoId));
  return row;
}

/** What the upload's own row tells now, in the form of what services tell; undefined for a video of another provider. */
async function findUploadFacts(tx: Db, videoId: string): Promise<FactsRow | undefined> {
  if (uploadIdOf(videoId) === null) return undefined;
  const upload = await findUpload(tx, videoId);
  const reason = whyUnplayable(upload);
  const at = upload?.createdAt ?? new Date(0);
  return {
    ...{ videoId, requestedAt: at, checkedAt: at, isPlayable: reason === null, reason, posterReason: null },
    title: upload?.fileName ?? null,
    durationSeconds: upload?.lengthSeconds ?? null,
    posterKey: upload?.posterKey ?? null,
  };
}
