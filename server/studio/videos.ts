import { and, desc, eq, inArray, isNotNull, isNull, lte, notInArray } from "drizzle-orm";
import { z } from "zod";
import type { UploadedVideo } from "#contract/admin/studio.ts";
import { recordAudit } from "#server/audit/audit.ts";
import { after, DAY } from "#server/base/clock.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { deleteOwnFile } from "#server/storage/owner.ts";
import { schedulePreparation } from "./jobs.ts";
import { arrivedDifferently, hasArrivedDifferently, type VideoRow } from "./runs.ts";
import { videoPieces, videos } from "./tables.ts";

const unfinishedFor = 7 * DAY;
const unusedFor = 30 * DAY;
const mostListed = 100;

/** Finds what uses each video, in words and by its id. Later domains know it. */
export type FindUses = (db: Db) => Promise<ReadonlyMap<string, string>>;

export async function findVideo(db: Db, id: string): Promise<VideoRow | null> {
  const [row] = await db.select().from(videos).where(eq(videos.id, id));
  return row ?? null;
}

/** @throws Refusal not-found. */
export async function getUploadedVideo(ctx: Context, findUses: FindUses, id: string): Promise<UploadedVideo> {
  const row = await findVideo(ctx.db, id);
  if (!row) throw notFound("video");
  return presentVideo(row, await findUses(ctx.db), ctx.clock.now());
}

export async function listUploadedVideos({ db, clock }: Context, findUses: FindUses): Promise<UploadedVideo[]> {
  const rows = await db.select().from(videos).orderBy(desc(videos.createdAt), desc(videos.id)).limit(mostListed);
  const uses = await findUses(db);
  return rows.map((row) => presentVideo(row, uses, clock.now()));
}

function presentVideo(row: VideoRow, uses: ReadonlyMap<string, string>, now: Date): UploadedVideo {
  const usedBy = uses.get(row.id) ?? null;
  return {
    ...row,
    renditions: row.renditions.map(({ width, height, size }) => ({ height: Math.min(width, height), size })),
    createdAt: row.createdAt.toISOString(),
    usedBy,
    deletesAt: usedBy === null ? (endOfUnused(row, now)?.toISOString() ?? null) : null,
  };
}

function endOfUnused({ state, createdAt, unusedSince }: VideoRow, now: Date): Date | null {
  if (state === "uploading") return after(createdAt, unfinishedFor);
  return isSettled(state) ? after(unusedSince ?? now, unusedFor) : null;
}

const settled = ["ready", "failed"] as const;
const isSettled = (state: VideoRow["state"]) => settled.some((one) => one === state);

/** @returns whether it was whole. @throws Refusal not-found; conflict while something uses it. */
export async function removeVideo(ctx: Context, actor: string, findUses: FindUses, id: string): Promise<boolean> {
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx.select().from(videos).where(eq(videos.id, id)).for("update");
    if (!row) throw notFound("video");
    const isWhole = row.state !== "uploading";
    const usedBy = isWhole ? (await findUses(tx)).get(id) : undefined;
    if (usedBy) {
      throw new Refusal("conflict", `“${row.fileName}” is used by ${usedBy}. Choose another video there first.`);
    }
    await removeVideos(tx, [id], now);
    const before = { fileName: row.fileName, size: row.size };
    await recordAudit(tx, { actor, action: isWhole ? "delete video" : "cancel upload", subject: id, before }, now);
    return isWhole;
  });
}

/** Removes uploads that nobody has finished within a week, and videos that nothing has used for thirty days. */
export async function removeOldVideos(ctx: Context, findUses: FindUses): Promise<void> {
  // Looking for uses takes ten statements, each hour.
  if ((await ctx.db.$count(videos)) === 0) return;
  await removeUnfinished(ctx);
  await removeUnused(ctx, findUses);
}

/** Remembers which ones nothing uses now. */
async function removeUnused(ctx: Context, findUses: FindUses): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const used = [...(await findUses(tx)).keys()];
    await tx
      .update(videos)
      .set({ unusedSince: null })
      .where(and(isNotNull(videos.unusedSince), inArray(videos.id, used)));
    const isUnused = and(inArray(videos.state, [...settled]), notInArray(videos.id, used));
    await tx
      .update(videos)
      .set({ unusedSince: now })
      .where(and(isNull(videos.unusedSince), isUnused));
    const old = await tx
      .select({ id: videos.id, fileName: videos.fileName })
      .from(videos)
      .where(and(isUnused, lte(videos.unusedSince, after(now, -unusedFor))))
      .for("update");
    await removeVideos(
      tx,
      old.map(({ id }) => id),
      now,
    );
    if (old.length > 0) ctx.log.info({ videos: old }, "videos that nothing used for 30 days were deleted");
  });
}

/**
 * Compares the uploader's file with what arrived, now or once that is whole. What differs fails, also if it is converted
 * already, and nothing of it plays any longer.
 * @throws Refusal not-found.
 */
export async function tellHashOf(
  ctx: Context,
  actor: string,
  { id, toldSha256 }: Pick<VideoRow, "id" | "toldSha256">,
): Promise<Pick<VideoRow, "state">> {
  return ctx.db.transaction(async (tx) => {
    const isTheirs = and(eq(videos.id, id), eq(videos.uploadedBy, actor));
    const [row] = await tx.update(videos).set({ toldSha256 }).where(isTheirs).returning();
    if (!row) throw notFound("video");
    if (!hasArrivedDifferently(row)) return row;
    const failure = { state: "failed", reason: arrivedDifferently, renditions: [] } as const;
    await tx.update(videos).set(failure).where(isTheirs);
    await deleteFilesLater(
      tx,
      row.renditions.map(({ key }) => key),
      ctx.clock.now(),
    );
    return failure;
  });
}

/** Goes on after the renditions that it has. @throws Refusal not-found; conflict unless it has failed. */
export async function retryConversion(
  ctx: Context,
  actor: string,
  findUses: FindUses,
  id: string,
): Promise<UploadedVideo> {
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(videos)
      .set({ state: "waiting", attempts: 0, reason: null, log: [], progress: 0, uploadedAt: now })
      .where(and(eq(videos.id, id), eq(videos.state, "failed")))
      .returning();
    if (!row) {
      if (!(await findVideo(tx, id))) throw notFound("video");
      throw new Refusal("conflict", "This video hasn’t failed, so there’s nothing to try again.");
    }
    await schedulePreparation(tx, id, now);
    await recordAudit(tx, { actor, action: "retry conversion", subject: id, after: { fileName: row.fileName } }, now);
    return presentVideo(row, await findUses(tx), now);
  });
}

async function removeUnfinished(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const old = await tx
      .select({ id: videos.id })
      .from(videos)
      .where(and(eq(videos.state, "uploading"), lte(videos.createdAt, after(now, -unfinishedFor))))
      .for("update");
    await removeVideos(
      tx,
      old.map(({ id }) => id),
      now,
    );
  });
}

export const deleteVideoFilesJob = defineJob("delete-video-files", z.object({ keys: z.array(z.string()) }));

export async function deleteVideoFiles(
  ctx: Context,
  { keys }: z.output<typeof deleteVideoFilesJob.schema>,
): Promise<void> {
  for (const key of keys) await deleteOwnFile(ctx, key);
}

/** With their files, which a job deletes after the commit. */
export async function removeVideos(tx: Db, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  const { videoId, key } = videoPieces;
  const pieces = await tx
    .select({ key })
    .from(videoPieces)
    .where(inArray(videoId, [...ids]));
  const rows = await tx
    .delete(videos)
    .where(inArray(videos.id, [...ids]))
    .returning();
  const keys = [
    ...pieces.map((piece) => piece.key),
    ...rows.flatMap(({ sourceKey, posterKey, renditions }) => [
      ...[sourceKey, posterKey].flatMap((one) => one ?? []),
      ...renditions.map((rendition) => rendition.key),
    ]),
  ];
  await deleteFilesLater(tx, keys, now);
}

async function deleteFilesLater(tx: Db, keys: string[], now: Date): Promise<void> {
  if (keys.length > 0) await scheduleJob(tx, deleteVideoFilesJob, { data: { keys }, runAt: now, now });
}

export function listUploadsOf(db: Db, userId: string) {
  const { fileName, size, createdAt } = videos;
  return db.select({ fileName, size, createdAt }).from(videos).where(eq(videos.uploadedBy, userId)).orderBy(createdAt);
}

/** The academy's videos stay, without who uploaded them. */
export async function forgetUploader(tx: Db, userId: string): Promise<void> {
  await tx.update(videos).set({ uploadedBy: null }).where(eq(videos.uploadedBy, userId));
}
