import { z } from "zod";
import type { Db } from "#server/db/db.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import type { VideoRow } from "./runs.ts";

export const prepareVideoJob = defineJob("prepare-video", z.object({ videoId: z.string() }), { lane: "video" });

/** Runs when an upload can be played first, and again when it is ready. */
export const videoPlayableJob = defineJob("video-playable", z.object({ videoId: z.string() }));

/** Content that shows the video takes its length and picture then. */
export async function announcePlayable(tx: Db, { id, run, renditions }: VideoRow, now: Date): Promise<void> {
  const key = `${id} ${run} ${renditions.length}`;
  await scheduleJob(tx, videoPlayableJob, { data: { videoId: `own:${id}` }, key, runAt: now, now });
}

/** Checks and converts an uploaded video. It does nothing for one that is ready, failed or deleted meanwhile. */
export async function schedulePreparation(tx: Db, videoId: string, runAt: Date, now = runAt): Promise<void> {
  await scheduleJob(tx, prepareVideoJob, { data: { videoId }, runAt, now });
}
