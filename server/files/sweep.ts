import { z } from "zod";
import { after, DAY, HOUR, MINUTE } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import type { Store } from "#server/storage/owner.ts";
import {
  forgetUnnamed,
  listNamedFiles,
  listOverdue,
  listTrashedBefore,
  listUnnamed,
  recordTrashed,
  recordUnnamed,
} from "./queries.ts";
import { fileFolders, inspectStore } from "./store-state.ts";

export { forgetSweeps, listUnnamed } from "./queries.ts";

/**
 * A file without a row moves to the trash after `unnamedFor` and `minSweeps`, and is deleted after `trashedFor` more.
 */
export const unnamedFor = 7 * DAY;
const minSweeps = 3;
export const trashedFor = 30 * DAY;
/** A file that is younger may belong to an upload whose rows are not written yet. */
const uploadTime = HOUR;
export const trash = "trash";

export interface Inventory {
  readonly named: number;
  /** Rows name them, and they are neither in their place nor in the trash. */
  readonly missing: readonly string[];
  /** Rows name them, and they are in the trash. */
  readonly trashedInUse: readonly string[];
  /** Files that the academy stored, that no row names, and that are too old for an upload under way. */
  readonly unnamed: readonly string[];
  /** Files in the trash that no row names, by their former keys. */
  readonly trashed: readonly string[];
}

export async function takeInventory({ db, storage }: Store): Promise<Inventory> {
  // Reads the rows first: a file is stored before its row is written, so a named file that is not listed is missing.
  const named = await listNamedFiles(db);
  const missing = new Set(named);
  const known = new Set(named);
  const unnamed: string[] = [];
  // The store's times are real ones: the sandbox does not move them.
  const oldest = Date.now() - uploadTime;
  for (const folder of fileFolders) {
    for await (const { key, storedAt } of storage.list(folder)) {
      missing.delete(key);
      if (!known.has(key) && isOurs(key) && storedAt.getTime() < oldest) unnamed.push(key);
    }
  }
  const trashed: string[] = [];
  const trashedInUse: string[] = [];
  for await (const { key } of storage.list(trash)) {
    const before = keyBeforeTrash(key);
    if (!before) continue;
    if (missing.delete(before)) trashedInUse.push(before);
    else if (!known.has(before)) trashed.push(before);
  }
  return { named: named.length, missing: [...missing], trashedInUse, unnamed, trashed };
}

/**
 * Moves files without a row to the trash and empties it, only while the store belongs to this database and no named
 * file is missing.
 */
export async function sweepFiles(ctx: Context): Promise<void> {
  await scheduleSweep(ctx.db, ctx.clock.now(), HOUR);
  const state = await inspectStore(ctx);
  if (state !== "ours") {
    ctx.log.warn({ state }, "files were not swept: the store is not known to be this database's own");
    return;
  }
  for (const folder of [...fileFolders, "backups", "videocopies"]) {
    // Not all stores list them: then their owner has a rule for it.
    await ctx.storage.dropUnfinished(folder, after(new Date(), -DAY)).catch((error: unknown) => {
      ctx.log.warn({ err: error, folder }, "unfinished uploads in the object store were not dropped");
    });
  }
  const inventory = await takeInventory(ctx);
  for (const key of inventory.trashedInUse) await ctx.storage.move(trashKeyOf(key), key);
  if (inventory.missing.length > 0) {
    ctx.log.warn({ files: inventory.missing.slice(0, 20) }, "files were not swept: some that rows name are missing");
    return;
  }
  const now = ctx.clock.now();
  const present = new Set([...inventory.unnamed, ...inventory.trashed]);
  const settled = (await listUnnamed(ctx.db)).filter(({ key }) => !present.has(key)).map(({ key }) => key);
  await forgetUnnamed(ctx.db, settled);
  await recordUnnamed(ctx.db, inventory.unnamed, now, after(now, -30 * MINUTE));
  for (const key of inventory.trashed) await recordTrashed(ctx.db, key, now);
  await moveToTrash(ctx, await listOverdue(ctx.db, after(now, -unnamedFor), minSweeps), now);
  await emptyTrash(ctx, await listTrashedBefore(ctx.db, after(now, -trashedFor)));
}

export const sweepFilesJob = defineJob("sweep-resources", z.object({}));

export async function scheduleSweep(db: Db, now: Date, delay = 0): Promise<void> {
  const runAt = after(now, delay);
  await scheduleJob(db, sweepFilesJob, { data: {}, key: runAt.toISOString().slice(0, 13), runAt, now });
}

async function moveToTrash(ctx: Context, keys: readonly string[], now: Date): Promise<void> {
  const named = new Set(await listNamedFiles(ctx.db));
  const moved = keys.filter((key) => !named.has(key));
  for (const key of moved) {
    await ctx.storage.move(key, trashKeyOf(key));
    await recordTrashed(ctx.db, key, now);
  }
  if (moved.length > 0) ctx.log.warn({ files: moved }, "files that no row names went to the trash");
}

async function emptyTrash(ctx: Context, keys: readonly string[]): Promise<void> {
  const named = new Set(await listNamedFiles(ctx.db));
  const removed = keys.filter((key) => !named.has(key));
  for (const key of removed) await ctx.storage.delete(trashKeyOf(key));
  await forgetUnnamed(ctx.db, removed);
  if (removed.length > 0) ctx.log.warn({ files: removed }, "files left the trash for good");
}

/** The sweep ignores files with names that the academy does not give. */
function isOurs(key: string): boolean {
  return /^[a-z]+\/[0-9a-z]{20}$/.test(key);
}

function trashKeyOf(key: string): string {
  return `${trash}/${key.replace("/", "-")}`;
}

function keyBeforeTrash(key: string): string | null {
  const [, folder, name] = /^trash\/([a-z]+)-([0-9a-z]{20})$/.exec(key) ?? [];
  return folder && name ? `${folder}/${name}` : null;
}
