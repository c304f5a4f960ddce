import { and, gte, inArray, isNotNull, isNull, like, lte, sql } from "drizzle-orm";
import { contentDrafts, lessons, modules, videoFacts } from "#server/catalogue/tables.ts";
import { liveSessions } from "#server/coaching/tables.ts";
import type { Db } from "#server/db/db.ts";
import { users } from "#server/identity/tables.ts";
import { imageKeyOf } from "#server/profile/profile-image.ts";
import { courseResources } from "#server/resources/tables.ts";
import { videoPieces, videos } from "#server/studio/tables.ts";
import { unnamedFiles } from "./tables.ts";

export async function listNamedFiles(db: Db): Promise<string[]> {
  const resources = await db.select({ key: courseResources.storageKey }).from(courseResources);
  const pictures = await db.select({ url: users.profileImageUrl }).from(users).where(isNotNull(users.profileImageUrl));
  const posters = await db
    .select({ key: videoFacts.posterKey })
    .from(videoFacts)
    .where(isNotNull(videoFacts.posterKey));
  const { sourceKey, posterKey, renditions } = videos;
  const uploaded = await db.select({ sourceKey, posterKey, renditions }).from(videos);
  const pieces = await db.select({ key: videoPieces.key }).from(videoPieces);
  return [
    ...resources.map(({ key }) => key),
    ...pictures.flatMap(({ url }) => (url && imageKeyOf(url)) || []),
    ...posters.flatMap(({ key }) => key ?? []),
    ...uploaded.flatMap((video) => [video.sourceKey ?? [], video.posterKey ?? []].flat()),
    ...uploaded.flatMap((video) => video.renditions.map(({ key }) => key)),
    ...pieces.map(({ key }) => key),
  ];
}

/** What uses each uploaded video, by the video's id, such as "the lesson “Welcome”". */
export async function listVideoUses(db: Db): Promise<ReadonlyMap<string, string>> {
  const own = "own:%";
  const drafts = await db
    .select({ text: sql<string>`${contentDrafts.content}::text` })
    .from(contentDrafts)
    .where(like(sql`${contentDrafts.content}::text`, `%${own}`));
  const { title } = liveSessions;
  const sessions = await db
    .select({ title, videoId: liveSessions.recordingVideoId })
    .from(liveSessions)
    .where(like(liveSessions.recordingVideoId, own));
  const intros = await db
    .select({ title: modules.title, videoId: modules.introVideo })
    .from(modules)
    .where(like(modules.introVideo, own));
  const shown = await db
    .select({ title: lessons.title, videoId: lessons.videoId })
    .from(lessons)
    .where(like(lessons.videoId, own));
  const idOf = (videoId: string | null) => videoId?.replace("own:", "") ?? "";
  // Later ones win: what students see is told first.
  return new Map([
    ...drafts.flatMap(({ text }) =>
      [...text.matchAll(/\bown:([0-9a-z]{20})\b/g)].map(([, id = ""]) => [id, "a draft"] as const),
    ),
    ...sessions.map(({ title, videoId }) => [idOf(videoId), `the group session “${title}”`] as const),
    ...intros.map(({ title, videoId }) => [idOf(videoId), `the introduction of “${title}”`] as const),
    ...shown.map(({ title, videoId }) => [idOf(videoId), `the lesson “${title}”`] as const),
  ]);
}

/** Call it only when no file is missing. */
export async function recordUnnamed(db: Db, keys: readonly string[], now: Date, sweptBefore: Date): Promise<void> {
  for (let from = 0; from < keys.length; from += 1000) {
    await db
      .insert(unnamedFiles)
      .values(keys.slice(from, from + 1000).map((key) => ({ key, firstSeenAt: now, lastSeenAt: now })))
      .onConflictDoUpdate({
        target: unnamedFiles.key,
        set: { sweeps: sql`${unnamedFiles.sweeps} + 1`, lastSeenAt: now },
        // Sweeps of two nodes at the same time count as one.
        setWhere: sql`${lte(unnamedFiles.lastSeenAt, sweptBefore)} and ${isNull(unnamedFiles.trashedAt)}`,
      });
  }
}

export type UnnamedFile = typeof unnamedFiles.$inferSelect;

export function listUnnamed(db: Db): Promise<UnnamedFile[]> {
  return db.select().from(unnamedFiles);
}

/** Files that have had no row since before `seenBefore`, in at least `sweeps` sweeps, and are not in the trash. */
export async function listOverdue(db: Db, seenBefore: Date, sweeps: number): Promise<string[]> {
  const rows = await db
    .select({ key: unnamedFiles.key })
    .from(unnamedFiles)
    .where(
      and(isNull(unnamedFiles.trashedAt), lte(unnamedFiles.firstSeenAt, seenBefore), gte(unnamedFiles.sweeps, sweeps)),
    );
  return rows.map(({ key }) => key);
}

export async function recordTrashed(db: Db, key: string, now: Date): Promise<void> {
  await db
    .insert(unnamedFiles)
    .values({ key, firstSeenAt: now, lastSeenAt: now, trashedAt: now })
    .onConflictDoUpdate({
      target: unnamedFiles.key,
      set: { trashedAt: now },
      setWhere: isNull(unnamedFiles.trashedAt),
    });
}

export async function listTrashedBefore(db: Db, before: Date): Promise<string[]> {
  const rows = await db.select({ key: unnamedFiles.key }).from(unnamedFiles).where(lte(unnamedFiles.trashedAt, before));
  return rows.map(({ key }) => key);
}

export async function forgetUnnamed(db: Db, keys: readonly string[]): Promise<void> {
  for (let from = 0; from < keys.length; from += 1000) {
    await db.delete(unnamedFiles).where(inArray(unnamedFiles.key, keys.slice(from, from + 1000)));
  }
}

export async function forgetSweeps(db: Db): Promise<void> {
  await db.delete(unnamedFiles).where(isNull(unnamedFiles.trashedAt));
}
