import { z } from "zod";
import type { Db } from "#server/db/db.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";

export const prepareVideoJob = defineJob("prepare-video", z.object({ videoId: z.string() }), { lane: "video" });

/** Checks and converts an uploaded video. It does nothing for one that is ready, failed or deleted meanwhile. */
export async function schedulePreparation(tx: Db, videoId: string, runAt: Date, now = runAt): Promise<void> {
  await scheduleJob(tx, prepareVideoJob, { data: { videoId }, runAt, now });
}
