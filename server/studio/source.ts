import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { copyFile, link } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Context } from "#server/context/context.ts";
import { newId } from "#server/db/id.ts";
import { isAnswerLost } from "#server/db/unavailable.ts";
import { deleteOwnFile, requireOwnStore } from "#server/storage/owner.ts";
import type { WholeFile } from "#server/storage/storage.ts";
import { storageRefusal } from "#server/storage/storage-refusal.ts";
import { demuxerOf, headBytes, noVideoFile, readStart } from "./container.ts";
import { damaged, type Film, sourceName, Unusable } from "./film.ts";
import {
  arrivedDifferently,
  deletePieces,
  hasArrivedDifferently,
  listPieces,
  recordStep,
  type VideoRow,
} from "./runs.ts";

interface Copying {
  readonly path: string;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Called with the bytes that are there. */
  readonly onProgress: (bytes: number) => void;
}

const gone = "The uploaded file is no longer on the server. Upload it again.";

/**
 * Puts the whole upload into the work directory, and into the store if it isn't there yet.
 * @throws Unusable, Superseded, Refusal.
 */
export async function fetchSource(
  ctx: Context,
  video: VideoRow,
  { directory, ...copying }: Omit<Copying, "path"> & { readonly directory: string },
): Promise<Film["demuxer"]> {
  const path = join(directory, sourceName);
  if (video.sourceKey !== null) {
    const sha256 = await copyFromStore(ctx, [video.sourceKey], { path, ...copying });
    if (hasArrivedDifferently({ ...video, sha256 })) throw new Unusable(arrivedDifferently);
  } else await keepSource(ctx, video, await assemble(ctx, video, { path, ...copying }));
  return recognize(path);
}

/** Pieces follow one another without gaps, as the upload has recorded them. */
async function assemble(ctx: Context, video: VideoRow, copying: Copying): Promise<WholeFile> {
  const pieces = await listPieces(ctx.db, video.id);
  let end = 0;
  for (const { start, size } of pieces) {
    if (start !== end) throw new Error(`the upload has a gap at ${end}`);
    end += size;
  }
  if (end !== video.size) throw new Error(`the upload has ${end} of ${video.size} bytes`);
  const keys = pieces.map(({ key }) => key);
  return { path: copying.path, size: video.size, sha256: await copyFromStore(ctx, keys, copying) };
}

/** @returns the content's SHA-256. @throws Unusable without the file; Refusal without the store, or room on the disk. */
async function copyFromStore(
  ctx: Context,
  keys: readonly string[],
  { path, signal, onProgress }: Copying,
): Promise<string> {
  const sha256 = createHash("sha256");
  let bytes = 0;
  async function* contents() {
    for (const key of keys) {
      const stored = await ctx.storage.read(key);
      if (!stored) {
        // A volume that isn't mounted has no files either.
        await requireOwnStore(ctx);
        throw new Unusable(gone);
      }
      for await (const chunk of stored.stream as AsyncIterable<Buffer>) {
        sha256.update(chunk);
        bytes += chunk.length;
        onProgress(bytes);
        yield chunk;
      }
    }
  }
  await pipeline(contents, createWriteStream(path, { flags: "wx", mode: 0o600 }), { signal }).catch((error: Error) => {
    throw "code" in error && error.name !== "AbortError" ? storageRefusal(error) : error;
  });
  return sha256.digest("hex");
}

/** The store takes files away, so it gets a second name of this one. */
async function keepSource(ctx: Context, video: VideoRow, file: WholeFile): Promise<void> {
  const spare = `${file.path}-to-store`;
  await link(file.path, spare).catch(() => copyFile(file.path, spare));
  const sourceKey = await putNew(ctx, { ...file, path: spare });
  const { row, keys } = await ctx.db
    .transaction(async (tx) => {
      // Also what the browser told meanwhile.
      const row = await recordStep(tx, video, { sourceKey, sha256: file.sha256 });
      return { row, keys: await deletePieces(tx, video.id) };
    })
    .catch((error) => dropNew(ctx, [sourceKey], error));
  // What a crash leaves here, the sweep deletes.
  for (const key of keys) await deleteOwnFile(ctx, key);
  if (hasArrivedDifferently(row)) throw new Unusable(arrivedDifferently);
}

/** Stores a file under a new key. @throws Refusal. */
export async function putNew(ctx: Context, file: WholeFile): Promise<string> {
  await requireOwnStore(ctx);
  const key = `videos/${newId()}`;
  await ctx.storage.put(key, file);
  return key;
}

/** Deletes files whose row could not be written, and throws the reason on. The sweep deletes what stays. */
export async function dropNew(ctx: Context, keys: readonly string[], error: unknown): Promise<never> {
  if (!isAnswerLost(error)) await Promise.allSettled(keys.map((key) => deleteOwnFile(ctx, key)));
  throw error;
}

async function recognize(path: string): Promise<Film["demuxer"]> {
  const head = await readStart(path, headBytes);
  if (head.length === 0) throw new Unusable(damaged);
  const demuxer = demuxerOf(head);
  if (demuxer === null) throw new Unusable(noVideoFile);
  return demuxer;
}
