import { rm, statfs } from "node:fs/promises";
import { and, eq, notInArray, sql } from "drizzle-orm";
import type { VideoUploads } from "#contract/admin/studio.ts";
import { recordAudit } from "#server/audit/audit.ts";
import { HOUR } from "#server/base/clock.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { countUse } from "#server/db/rate-limits.ts";
import { isAnswerLost } from "#server/db/unavailable.ts";
import { lockUser } from "#server/identity/users.ts";
import { deleteOwnFile, requireOwnStore } from "#server/storage/owner.ts";
import { receive } from "#server/storage/receive.ts";
import type { WholeFile } from "#server/storage/storage.ts";
import { demuxerOf, headBytes, noVideoFile, readStart } from "./container.ts";
import { schedulePreparation } from "./jobs.ts";
import { whyHopeless } from "./plain.ts";
import { videoPieces, videos } from "./tables.ts";
import { type FindUses, findVideo, listUploadedVideos, removeVideos } from "./videos.ts";

/** Bytes of one request. Pages send a quarter of it, so that a short break loses little. */
export const maxPieceBytes = 32 * 1024 * 1024;
const mostUnfinished = 3;
/** The pieces, the whole file and its renditions lie beside each other for a while. */
const roomPerByte = 2.5;
const perHour = {
  max: 60,
  window: HOUR,
  message: "You’ve started many uploads in a short time. Please wait a while.",
};

export interface NewUpload {
  readonly id: string;
  readonly fileName: string;
  /** Bytes. */
  readonly size: number;
}

export async function describeUploads(ctx: Context, findUses: FindUses): Promise<VideoUploads> {
  const room = Math.max(0, Math.floor((await freeBytes(ctx)) / roomPerByte));
  return {
    videos: await listUploadedVideos(ctx, findUses),
    limits: { size: ctx.videoLimitBytes, room, unfinished: mostUnfinished },
  };
}

/** @throws Refusal invalid-input, too-large, storage-full, too-many-requests; conflict past three unfinished uploads. */
export async function beginUpload(ctx: Context, actor: string, { id, fileName, size }: NewUpload): Promise<void> {
  if (size === 0) throw new Refusal("invalid-input", `“${fileName}” is empty.`);
  if (size > ctx.videoLimitBytes) {
    throw new Refusal("too-large", `“${fileName}” is larger than ${inGigabytes(ctx.videoLimitBytes)}.`);
  }
  const now = ctx.clock.now();
  await countUse(ctx.db, `video-uploads ${actor}`, perHour, now);
  if ((await freeBytes(ctx)) < roomPerByte * size) {
    throw new Refusal(
      "storage-full",
      `The server doesn’t have enough room for this video. It needs ${inGigabytes(roomPerByte * size)} of free space to convert it.`,
    );
  }
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, actor);
    const isUnfinished = and(eq(videos.uploadedBy, actor), eq(videos.state, "uploading"));
    if ((await tx.$count(videos, isUnfinished)) >= mostUnfinished) {
      throw new Refusal(
        "conflict",
        `You have ${mostUnfinished} unfinished uploads. Finish or cancel one of them first.`,
      );
    }
    await tx.insert(videos).values({ id, fileName, size, uploadedBy: actor, createdAt: now });
    await recordAudit(tx, { actor, action: "upload video", subject: id, after: { fileName, size } }, now);
  });
}

interface Place {
  readonly videoId: string;
  readonly start: number;
  readonly lockNumber: number;
}

/**
 * Stores what comes, also when it is less than announced, and records it in one transaction.
 * @returns its bytes
 * @throws Refusal unsupported-media-type for what is no video, which ends the upload; conflict when the lease was lost;
 * too-large, storage-full, unavailable.
 */
export async function receivePiece(ctx: Context, place: Place, stream: AsyncIterable<Uint8Array>): Promise<number> {
  await requireOwnStore(ctx);
  const file = await receive(ctx.storage, stream, maxPieceBytes);
  if (!file) throw new Refusal("too-large", "Send the file in smaller pieces.");
  const key = `videos/${newId()}`;
  try {
    if (file.size === 0) return 0;
    if (place.start === 0 && !(await isJudged(ctx, place.videoId, file))) return 0;
    await ctx.storage.put(key, file);
  } finally {
    await rm(file.path, { force: true });
  }
  try {
    await ctx.db.transaction((tx) => recordPiece(ctx, tx, { ...place, size: file.size, key }));
  } catch (error) {
    // The row may have been committed. The sweep deletes files without a row.
    if (!isAnswerLost(error)) await deleteOwnFile(ctx, key);
    throw error;
  }
  return file.size;
}

async function recordPiece(
  ctx: Context,
  tx: Db,
  { videoId, start, size, key, lockNumber }: Place & { readonly size: number; readonly key: string },
): Promise<void> {
  const isNext = and(eq(videos.lockNumber, lockNumber), eq(videos.received, start), eq(videos.state, "uploading"));
  const [row] = await tx
    .update(videos)
    .set({ received: sql`${videos.received} + ${size}` })
    .where(and(eq(videos.id, videoId), isNext))
    .returning({ received: videos.received, size: videos.size });
  if (!row) {
    if (!(await findVideo(tx, videoId))) throw notFound("upload");
    throw new Refusal("conflict", "This part of the file came already, or comes from somewhere else.");
  }
  await tx.insert(videoPieces).values({ videoId, start, size, key });
  if (row.received < row.size) return;
  const now = ctx.clock.now();
  await tx.update(videos).set({ state: "waiting", uploadedAt: now }).where(eq(videos.id, videoId));
  await schedulePreparation(tx, videoId, now);
}

/** False for too few bytes to tell, which are sent again. Ends the upload of what is no video, or none for this server. */
async function isJudged(ctx: Context, videoId: string, file: WholeFile): Promise<boolean> {
  const video = await findVideo(ctx.db, videoId);
  if (file.size < headBytes && video && file.size < video.size) return false;
  const demuxer = demuxerOf(await readStart(file.path, headBytes));
  const canConvert = ctx.ffmpegPath !== null || !ctx.preparesVideos;
  const refusal = demuxer ? !canConvert && (await whyHopeless(file.path, demuxer)) : noVideoFile;
  if (!refusal) return true;
  await ctx.db.transaction((tx) => removeVideos(tx, [videoId], ctx.clock.now()));
  throw new Refusal("unsupported-media-type", refusal);
}

/** Bytes on the disk where files arrive and are converted, without those that uploads under way will take. */
async function freeBytes({ db, storage }: Context): Promise<number> {
  const { bavail, bsize } = await statfs(storage.incoming);
  const [row] = await db
    .select({
      claimed: sql<number>`coalesce(sum(${roomPerByte}::float8 * ${videos.size} - ${videos.received}), 0)::float8`,
    })
    .from(videos)
    .where(notInArray(videos.state, ["ready", "failed"]));
  return bavail * bsize - (row?.claimed ?? 0);
}

function inGigabytes(bytes: number): string {
  const gigabytes = bytes / 1024 ** 3;
  return gigabytes < 1 ? `${Math.ceil(bytes / 1024 ** 2)} MB` : `${Number(gigabytes.toFixed(1))} GB`;
}
