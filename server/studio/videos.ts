import { and, desc, eq, inArray, lte } from "drizzle-orm";
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
import type { VideoRow } from "./runs.ts";
import { videoPieces, videos } from "./tables.ts";

const unfinishedFor = 7 * DAY;
const mostListed = 100;

export async function findVideo(db: Db, id: string): Promise<VideoRow | null> {
  const [row] = await db.select().from(videos).where(eq(videos.id, id));
  return row ?? null;
}

/** @throws Refusal not-found. */
export async function getUploadedVideo(ctx: Context, id: string): Promise<UploadedVideo> {
  const row = await findVideo(ctx.db, id);
  if (!row) throw notFound("video");
  return presentVideo(row);
}

export async function listUploadedVideos(db: Db): Promise<UploadedVideo[]> {
  const rows = await db.select().from(videos).orderBy(desc(videos.createdAt), desc(videos.id)).limit(mostListed);
  return rows.map(presentVideo);
}

function presentVideo(row: VideoRow): UploadedVideo {
  const renditions = row.renditions.map(({ width, height, size }) => ({ height: Math.min(width, height), size }));
  return { ...row, renditions, createdAt: row.createdAt.toISOString() };
}

/** Removes what was never whole, or has failed. @throws Refusal not-found, conflict. */
export async function cancelUpload(ctx: Context, actor: string, id: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const [row] = await tx.select().from(videos).where(eq(videos.id, id)).for("update");
    if (!row) throw notFound("video");
    if (row.state !== "uploading" && row.state !== "failed") {
      throw new Refusal("conflict", "This video is uploaded already, so the upload can’t be canceled.");
    }
    await removeVideos(tx, [id], now);
    const before = { fileName: row.fileName, size: row.size };
    await recordAudit(tx, { actor, action: "cancel upload", subject: id, before }, now);
  });
}

/** Goes on after the renditions that it has. @throws Refusal not-found; conflict unless it has failed. */
export async function retryConversion(ctx: Context, actor: string, id: string): Promise<UploadedVideo> {
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
    return presentVideo(row);
  });
}

/** Removes uploads that nobody has finished within a week. */
export async function removeUnfinished(ctx: Context): Promise<void> {
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
  if (keys.length > 0) await scheduleJob(tx, deleteVideoFilesJob, { data: { keys }, runAt: now, now });
}

/** The academy's videos stay, without who uploaded them. */
export async function forgetUploader(tx: Db, userId: string): Promise<void> {
  await tx.update(videos).set({ uploadedBy: null }).where(eq(videos.uploadedBy, userId));
}
