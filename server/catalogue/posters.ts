import { rm } from "node:fs/promises";
import { eq, isNotNull } from "drizzle-orm";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { decodeImage, inTurn, loadSharp } from "#server/images/decode.ts";
import { requireOwnStore } from "#server/storage/owner.ts";
import { receive } from "#server/storage/receive.ts";
import type { StoredContent } from "#server/storage/storage.ts";
import { findUpload, listPosterKeysOfUploads, uploadIdOf } from "#server/studio/playable.ts";
import { NoPicture } from "#server/video/inspection.ts";
import { videoFacts } from "./tables.ts";

/** Bytes; services send about a tenth of it. */
const maxPictureBytes = 5 * 1024 * 1024;
/** Pixels of the longest side: the player's usual size on a screen of double density. */
const longestSide = 1280;

/** The poster's columns of `videoFacts`. */
export interface Poster {
  readonly posterKey: string | null;
  readonly posterReason: string | null;
}

/**
 * Stores the service's picture of a video, so that visitors' browsers do not load it from the service.
 * @throws NoDescription when a retry may succeed; Refusal unavailable.
 */
export async function keepPicture(ctx: Context, pictureUrl: string | null): Promise<Poster> {
  if (pictureUrl === null) return { posterKey: null, posterReason: null };
  try {
    const jpeg = await fetchPicture(ctx, pictureUrl);
    await requireOwnStore(ctx);
    const posterKey = `posters/${newId()}`;
    // After a crash before the row is written, the sweep deletes the file.
    await ctx.storage.put(posterKey, jpeg);
    return { posterKey, posterReason: null };
  } catch (error) {
    const isFinal = error instanceof NoPicture || (error instanceof Refusal && finalRefusals.has(error.code));
    if (!isFinal) throw error;
    return { posterKey: null, posterReason: wordsOf(error) };
  }
}

function wordsOf(error: NoPicture | Refusal): string {
  if (error instanceof NoPicture) return error.message;
  return error.code === "infected" ? error.message : "We couldn't read it as a JPEG, PNG or WebP picture.";
}

const finalRefusals: ReadonlySet<string> = new Set<Refusal["code"]>(["unreadable-image", "infected"]);

/** Re-encodes the picture from its pixels. */
async function fetchPicture(ctx: Context, pictureUrl: string): Promise<Buffer> {
  const original = await receive(ctx.storage, await ctx.video.openPicture(pictureUrl), maxPictureBytes);
  if (!original) throw new NoPicture("It is larger than 5 MB.");
  try {
    await ctx.scanner?.requireClean(original.path);
    return await inTurn(() => drawPoster(original.path));
  } finally {
    await rm(original.path, { force: true });
  }
}

async function drawPoster(path: string): Promise<Buffer> {
  const formats = ["jpeg", "png", "webp"] as const;
  const { data, info } = await decodeImage(path, { longestSide, formats, instead: "a JPEG, PNG or WebP picture" });
  const sharp = await loadSharp();
  return sharp(data, { raw: info }).flatten({ background: "#000" }).jpeg({ quality: 80, progressive: true }).toBuffer();
}

export async function readPoster(ctx: Context, videoId: string): Promise<StoredContent | null> {
  const key = await findPosterKey(ctx.db, videoId);
  return key === null ? null : ctx.storage.read(key);
}

async function findPosterKey(db: Db, videoId: string): Promise<string | null> {
  if (uploadIdOf(videoId) !== null) return (await findUpload(db, videoId))?.posterKey ?? null;
  const [row] = await db.select({ key: videoFacts.posterKey }).from(videoFacts).where(eq(videoFacts.videoId, videoId));
  return row?.key ?? null;
}

/** The address of a poster below `address`; another picture has another address, since browsers cache it. */
export function posterAddress(address: string, key: string): string {
  return `${address}/poster?of=${key.slice(-6)}`;
}

/** @see posterAddress */
export async function findPosterAddress(db: Db, videoId: string, address: string): Promise<string | null> {
  const key = await findPosterKey(db, videoId);
  return key && posterAddress(address, key);
}

/** By video id. */
export async function listPosterKeys(db: Db): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .select({ videoId: videoFacts.videoId, key: videoFacts.posterKey })
    .from(videoFacts)
    .where(isNotNull(videoFacts.posterKey));
  const ofServices = rows.flatMap(({ videoId, key }) => (key === null ? [] : [[videoId, key] as const]));
  return new Map([...ofServices, ...(await listPosterKeysOfUploads(db))]);
}
