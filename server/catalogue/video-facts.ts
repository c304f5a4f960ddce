import { and, eq } from "drizzle-orm";
import { z } from "zod";
import type { VideoCheck } from "#contract/admin/videos.ts";
import { after, DAY, MINUTE } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { isDescribed, NoDescription } from "#server/video/inspection.ts";
import { lessons, modules, videoFacts } from "./tables.ts";

export const inspectVideoJob = defineJob("inspect-video", z.object({ videoId: z.string(), tries: z.number() }));

/** What was found is looked up again when somebody saves the video after so long. */
const goodFor = DAY;

/** The service is asked right afterwards, by a job: a save waits for nobody. */
export async function requestInspection(tx: Db, videoId: string, now: Date): Promise<void> {
  if (!isDescribed(videoId)) return;
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

/** 1, 4, 16 minutes and so on, and once a day in the end. */
const pause = (tries: number) => Math.min(DAY, MINUTE * 4 ** Math.min(tries, 8));

/** Where nobody answers it asks again later, as long as anything plays the video. */
export async function inspectVideoOnce(
  ctx: Context,
  { videoId, tries }: z.output<typeof inspectVideoJob.schema>,
): Promise<void> {
  try {
    const facts = await ctx.video.inspect(videoId);
    await ctx.db
      .update(videoFacts)
      .set({ ...facts, checkedAt: ctx.clock.now() })
      .where(eq(videoFacts.videoId, videoId));
  } catch (error) {
    if (!(error instanceof NoDescription)) throw error;
    ctx.log.info({ videoId, reason: error.message }, "a video is not described yet");
    const now = ctx.clock.now();
    await scheduleInspection(ctx.db, { videoId, tries: tries + 1 }, after(now, pause(tries)), now);
  }
}

export async function describeVideo(db: Db, videoId: string): Promise<VideoCheck> {
  const [row] = await db.select().from(videoFacts).where(eq(videoFacts.videoId, videoId));
  const state = !isDescribed(videoId)
    ? "untold"
    : !row?.checkedAt
      ? "waiting"
      : row.isPlayable
        ? "playable"
        : "unplayable";
  return {
    videoId,
    state,
    reason: row?.reason ?? null,
    title: row?.title ?? null,
    duration: row?.durationSeconds ?? null,
    checkedAt: row?.checkedAt?.toISOString() ?? null,
  };
}

/** Of what is released: where it is used, and why it does not play. */
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
