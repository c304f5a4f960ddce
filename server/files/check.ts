import { z } from "zod";
import { after, MINUTE } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { recordMissingFiles } from "#server/resources/resources.ts";
import { claimStore, type StoreState } from "./store-state.ts";

const everyMinutes = 5;

/** Records which resources have no file. While the store cannot be reached nothing changes. */
export async function checkFiles(ctx: Context): Promise<void> {
  const missing = await countMissing(ctx).catch((error) => {
    if (!(error instanceof Refusal)) throw error;
    ctx.log.warn({ err: error }, "the file store cannot be reached");
    return 1;
  });
  await scheduleFileCheck(ctx.db, ctx.clock.now(), missing > 0 ? 1 : everyMinutes);
}

export const checkFilesJob = defineJob("check-files", z.object({}));

/** At the next minute divisible by `minutes`, so that all nodes schedule the same job. */
export async function scheduleFileCheck(db: Db, now: Date, minutes = 0): Promise<void> {
  const step = minutes * MINUTE;
  const runAt = step > 0 ? new Date(Math.ceil(after(now, 1).getTime() / step) * step) : now;
  await scheduleJob(db, checkFilesJob, { data: {}, key: runAt.toISOString().slice(0, 16), runAt, now });
}

async function countMissing(ctx: Context): Promise<number> {
  const state = await claimStore(ctx, ctx.clock.now());
  const listFiles = async () => {
    const keys = new Set<string>();
    if (holdsFiles(state)) for await (const { key } of ctx.storage.list("resources")) keys.add(key);
    return keys;
  };
  const { lost, found, missing } = await recordMissingFiles(ctx.db, listFiles, ctx.clock.now());
  if (lost.length > 0) ctx.log.error({ resources: lost, state }, "the files of resources are missing");
  if (found.length > 0) ctx.log.warn({ resources: found }, "the files of resources are back");
  return missing;
}

function holdsFiles(state: StoreState): boolean {
  return state !== "missing" && state !== "free";
}
