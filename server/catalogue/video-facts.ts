import { and, eq } from "drizzle-orm";
import { z } from "zod";
import type { VideoCheck } from "#contract/admin/videos.ts";
import { parseVideoId, type VideoId } from "#contract/video-id.ts";
import { after, DAY, MINUTE } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { deleteOwnFile } from "#server/storage/owner.ts";
import { NoDescription } from "#server/video/outgoing.ts";
import { findSample } from "#server/video/samples.ts";
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

const pictureComes = "It could not be fetched yet, and is asked for again by itself.";

type FactsRow = typeof videoFacts.$inferSelect;

/** Schedules the deletion of an earlier picture that the facts no longer name. */
async function recordFacts(ctx: Context, videoId: string, facts: Partial<FactsRow>): Promise<void> {
  const before = await ctx.db.transaction(async (tx) => {
    const [row] = await tx.select().from(videoFacts).where(eq(videoFacts.videoId, videoId)).for("update");
    await tx.update(videoFacts).set(facts).where(eq(videoFacts.videoId, videoId));
    return row?.posterKey;
  });
  if (before && facts.posterKey !== undefined) await deleteOwnFile(ctx, before);
}

/** @param posterAddress where authors of the course see its picture */
export async function describeVideo(ctx: Context, videoId: string, posterAddress: string): Promise<VideoCheck> {
  const [row] = await ctx.db.select().from(videoFacts).where(eq(videoFacts.videoId, videoId));
  const video = parseVideoId(videoId);
  const state = stateOf(ctx, videoId, row);
  const hasPoster = video?.provider === "sample" ? findSample(video.id, "poster") !== null : !!row?.posterKey;
  return {
    videoId,
    state,
    reason: row?.reason ?? null,
    title: row?.title ?? null,
    duration: row?.durationSeconds ?? null,
    poster: hasPoster ? posterAddress : null,
    noDuration: (video && !row?.durationSeconds && whyNoDuration(video, state)) || null,
    noPoster: (video && !hasPoster && whyNoPoster(video, state, row?.posterReason ?? null)) || null,
    checkedAt: row?.checkedAt?.toISOString() ?? null,
  };
}

function stateOf({ video }: Context, videoId: string, row: FactsRow | undefined): VideoCheck["state"] {
  if (!video.isDescribed(videoId)) return "untold";
  if (!row?.checkedAt) return "waiting";
  return row.isPlayable ? "playable" : "unplayable";
}

const services = {
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
    if (provider === "hls") return "Playlists are not asked for their length; enter it.";
    return provider === "file"
      ? `The server asks nothing of ${new URL(id).host}, which VIDEO_ORIGINS does not name; enter the length.`
      : `${service} tells only its customers, and this academy has no keys of it; enter the length.`;
  }
  if (state !== "playable") return null;
  const isNeverTold = provider === "youtube" || provider === "bunny";
  return isNeverTold ? `${service} does not tell lengths; enter it.` : `${service} does not tell its length; enter it.`;
}

function whyNoPoster({ provider }: VideoId, state: VideoCheck["state"], reason: string | null): string | null {
  const service = services[provider];
  if (provider === "file" || provider === "hls")
    return `${service} brings no picture along; players show a frame of it.`;
  if (state !== "playable") return null;
  return reason ? `${service}'s picture is not shown. ${reason}` : `${service} shows no picture of it.`;
}

/** Released videos that do not play, with where they are used and why. */
export async function listUnplayable(db: Db): Promise<{ title: string; reason: string }[]> {
  const broken = eq(videoFacts.isPlayable, false);
  const ofLessons = await db
    .select({ title: lessons.title, reason: videoFacts.reason })
    .from(lessons)
    .innerJoin(videoFacts, eq(videoFacts.videoId, lessons.videoId))
    .where(and(broken, lessons.released, eq(lessons.comingSoon, false)));
  const ofModules = await db
    .select({ title: modules.title, reason: videoFacts.reason })
    .from(modules)
    .innerJoin(videoFacts, eq(videoFacts.videoId, modules.introVideo))
    .where(and(broken, modules.released));
  return [...ofLessons, ...ofModules].map(({ title, reason }) => ({ title, reason: reason ?? "It does not play." }));
}
