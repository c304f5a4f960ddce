import { eq, isNotNull } from "drizzle-orm";
import { parseVideoId } from "#contract/video-id.ts";
import type { Db } from "#server/db/db.ts";
import { videos } from "./tables.ts";

export type VideoRow = typeof videos.$inferSelect;

/** The uploaded video that a video id names; null for another provider's id, and for a video that was deleted. */
export async function findUpload(db: Db, videoId: string): Promise<VideoRow | null> {
  const id = uploadIdOf(videoId);
  if (id === null) return null;
  const [video] = await db.select().from(videos).where(eq(videos.id, id));
  return video ?? null;
}

/** Null for the id of another provider. */
export function uploadIdOf(videoId: string): string | null {
  const video = parseVideoId(videoId);
  return video?.provider === "own" ? video.id : null;
}

/** Why nothing of the video can be played, as a sentence for its authors; null when something can. */
export function whyUnplayable(video: VideoRow | null): string | null {
  if (!video) return "We couldn’t find this upload. It may have been deleted.";
  if (isPlayable(video)) return null;
  if (video.state === "uploading") return "It isn’t uploaded completely yet.";
  if (video.state === "failed") return `It couldn’t be converted. ${video.reason ?? ""}`.trim();
  return "It’s still being converted.";
}

/** The smallest rendition plays while larger ones are made. Without ffmpeg the file plays as it was uploaded. */
function isPlayable({ state, renditions, sourceKey }: VideoRow): boolean {
  return renditions.length > 0 || (state === "ready" && sourceKey !== null);
}

/** Where the pictures of uploaded videos are stored, by video id. */
export async function listPosterKeysOfUploads(db: Db): Promise<(readonly [videoId: string, key: string])[]> {
  const rows = await db
    .select({ id: videos.id, key: videos.posterKey })
    .from(videos)
    .where(isNotNull(videos.posterKey));
  return rows.flatMap(({ id, key }) => (key === null ? [] : [[`own:${id}`, key] as const]));
}

/** A file of the store that never changes. */
export interface VideoFile {
  readonly key: string;
  /** For people, such as "lesson-4-1.mov, 720p". */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
}

/** The files of all whole videos: what was uploaded, and the renditions. */
export async function listVideoFiles(db: Db): Promise<VideoFile[]> {
  const rows = await db.select().from(videos);
  return rows.flatMap(({ fileName, sourceKey, size, sha256, renditions }) => [
    ...(sourceKey !== null && sha256 !== null ? [{ key: sourceKey, name: fileName, size, sha256 }] : []),
    ...renditions.map((one) => ({
      key: one.key,
      name: `${fileName}, ${Math.min(one.width, one.height)}p`,
      size: one.size,
      sha256: one.sha256,
    })),
  ]);
}
