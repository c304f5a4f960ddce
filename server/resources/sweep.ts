import { and, eq, inArray } from "drizzle-orm";
import { after, HOUR } from "#server/clock.ts";
import type { Context } from "#server/context.ts";
import type { Db } from "#server/db/db.ts";
import { enqueueJob } from "#server/jobs/jobs.ts";
import { listStorageKeys } from "./queries.ts";
import { courseResources } from "./tables.ts";

/** A file without a row may belong to an upload that is just being written down; an hour later it does not. */
const grace = HOUR;

/**
 * Brings store and rows together where a process died between the two: removes old files that no row names, and takes
 * resources whose file is gone out of the lists, with a line in the log. Comes back every hour.
 */
export async function sweepResources(ctx: Context): Promise<void> {
  await planSweep(ctx.db, ctx.clock.now(), HOUR);
  // Rows first: the file of each was stored before the row was written, so one that the list lacks is not on its way.
  const rows = await listStorageKeys(ctx.db);
  const unnamed = new Set<string>();
  const missing = new Map(rows.map((row) => [row.storageKey, row]));
  const known = new Set(missing.keys());
  // The store's clock is the world's, which the sandbox does not move.
  const oldest = Date.now() - grace;
  for await (const { key, storedAt } of ctx.storage.list("resources")) {
    missing.delete(key);
    if (!known.has(key) && storedAt.getTime() < oldest) unnamed.add(key);
  }
  for (const key of unnamed) await ctx.storage.delete(key);
  if (unnamed.size > 0) ctx.log.warn({ files: unnamed.size }, "files without a resource were removed");

  const lost = [...missing.values()].filter(({ isActive }) => isActive).map(({ id }) => id);
  if (lost.length === 0) return;
  ctx.log.error({ resources: lost }, "the files of resources are missing: the resources are no longer shown");
  await ctx.db
    .update(courseResources)
    .set({ isActive: false, updatedAt: ctx.clock.now() })
    .where(and(inArray(courseResources.id, lost), eq(courseResources.isActive, true)));
}

/** Takes the next sweep on, once however many nodes ask. */
export async function planSweep(db: Db, now: Date, delay = 0): Promise<void> {
  const runAt = after(now, delay);
  await enqueueJob(db, { name: "sweep-resources", data: {}, key: runAt.toISOString().slice(0, 13), runAt, now });
}
