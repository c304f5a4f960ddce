import { and, asc, eq, gt, inArray, isNull, max, or, sql } from "drizzle-orm";
import { after, DAY } from "#server/base/clock.ts";
import { lessons, modules } from "#server/catalogue/tables.ts";
import type { Db } from "#server/db/db.ts";
import { courseResources, resourceDownloads } from "./tables.ts";

export type ResourceRow = typeof courseResources.$inferSelect;

export interface ResourceFilter {
  readonly moduleId?: string | undefined;
  readonly lessonId?: string | undefined;
}

/** PostgreSQL refuses some texts that an address may hold. */
const isId = (text: string) => /^[0-9a-z]{20}$/.test(text);

/** What students may see: it is active, and its module and lesson are released. */
const isShown = and(
  eq(courseResources.isActive, true),
  eq(modules.released, true),
  or(isNull(courseResources.lessonId), eq(lessons.released, true)),
);

function withModuleAndLesson(db: Db) {
  return db
    .select({ resource: courseResources })
    .from(courseResources)
    .innerJoin(modules, eq(modules.id, courseResources.moduleId))
    .leftJoin(lessons, eq(lessons.id, courseResources.lessonId));
}

const inOrder = [asc(courseResources.position), asc(courseResources.createdAt), asc(courseResources.id)];

/** In the course's order; what belongs to a module as a whole comes before its lessons. */
export async function listResourceRows(db: Db, filter: ResourceFilter, shownOnly: boolean): Promise<ResourceRow[]> {
  const rows = await withModuleAndLesson(db)
    .where(
      and(
        shownOnly ? isShown : undefined,
        filter.moduleId ? eq(courseResources.moduleId, filter.moduleId) : undefined,
        filter.lessonId ? eq(courseResources.lessonId, filter.lessonId) : undefined,
      ),
    )
    .orderBy(asc(modules.position), sql`${lessons.position} nulls first`, ...inOrder);
  return rows.map(({ resource }) => resource);
}

export async function findResource(db: Db, id: string, shownOnly: boolean): Promise<ResourceRow | null> {
  if (!isId(id)) return null;
  const [row] = await withModuleAndLesson(db).where(and(eq(courseResources.id, id), shownOnly ? isShown : undefined));
  return row?.resource ?? null;
}

export async function lockResource(db: Db, id: string): Promise<ResourceRow | null> {
  if (!isId(id)) return null;
  const [row] = await db.select().from(courseResources).where(eq(courseResources.id, id)).for("update");
  return row ?? null;
}

type Place = Pick<ResourceRow, "moduleId" | "lessonId">;

const isIn = ({ moduleId, lessonId }: Place) =>
  and(
    eq(courseResources.moduleId, moduleId),
    lessonId === null ? isNull(courseResources.lessonId) : eq(courseResources.lessonId, lessonId),
  );

/**
 * The resources of a lesson, or of a module as a whole, in their order. Locks by id, because the order may change while
 * it waits, and reads afterwards.
 */
export async function lockResourcesIn(db: Db, place: Place): Promise<ResourceRow[]> {
  const { id } = courseResources;
  await db.select({ id }).from(courseResources).where(isIn(place)).orderBy(id).for("update");
  return db
    .select()
    .from(courseResources)
    .where(isIn(place))
    .orderBy(...inOrder);
}

/** For one more resource at the end. */
export async function nextPosition(db: Db, place: Place): Promise<number> {
  const [row] = await db
    .select({ last: max(courseResources.position) })
    .from(courseResources)
    .where(isIn(place));
  return (row?.last ?? -1) + 1;
}

/** A repeated download within this time counts, but stores no further row. */
const notedAgainAfter = DAY;

/** Changes nothing when the resource was deleted meanwhile. */
export async function addDownloads(db: Db, id: string, userIds: readonly string[], now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const counted = await tx
      .update(courseResources)
      .set({ downloadCount: sql`${courseResources.downloadCount} + ${userIds.length}` })
      .where(eq(courseResources.id, id))
      .returning({ resourceId: courseResources.id });
    for (const { resourceId } of counted) {
      const noted = await tx
        .select({ userId: resourceDownloads.userId })
        .from(resourceDownloads)
        .where(
          and(
            eq(resourceDownloads.resourceId, resourceId),
            inArray(resourceDownloads.userId, [...userIds]),
            gt(resourceDownloads.downloadedAt, after(now, -notedAgainAfter)),
          ),
        );
      const others = new Set(userIds);
      for (const { userId } of noted) others.delete(userId);
      if (others.size === 0) continue;
      const rows = [...others].map((userId) => ({ userId, resourceId, downloadedAt: now }));
      await tx.insert(resourceDownloads).values(rows);
    }
  });
}

/** Released or not. */
export async function hasModule(db: Db, moduleId: string): Promise<boolean> {
  return (await db.$count(modules, eq(modules.id, moduleId))) > 0;
}

/** Released or not. */
export async function hasLesson(db: Db, moduleId: string, lessonId: string): Promise<boolean> {
  return (await db.$count(lessons, and(eq(lessons.id, lessonId), eq(lessons.moduleId, moduleId)))) > 0;
}

export async function hasResourceTitled(
  db: Db,
  { moduleId, title }: { moduleId: string; title: string },
): Promise<boolean> {
  const found = await db
    .select({ id: courseResources.id })
    .from(courseResources)
    .where(and(eq(courseResources.moduleId, moduleId), eq(courseResources.title, title)))
    .limit(1);
  return found.length > 0;
}

/**
 * Reads the rows before the files: an upload stores its file first, and a deletion its row.
 * @returns ids whose file went missing or came back since the last time, and how many are missing now.
 */
export async function recordMissingFiles(
  db: Db,
  listFiles: () => Promise<ReadonlySet<string>>,
  now: Date,
): Promise<{ lost: string[]; found: string[]; missing: number }> {
  const { id, storageKey, fileMissingSince } = courseResources;
  const rows = await db.select({ id, storageKey, fileMissingSince }).from(courseResources);
  const there = await listFiles();
  const missing = rows.filter((row) => !there.has(row.storageKey));
  const unknown = missing.filter((row) => !row.fileMissingSince).map((row) => row.id);
  const found = rows.filter((row) => row.fileMissingSince && there.has(row.storageKey)).map((row) => row.id);
  const lost = unknown.length > 0 ? await setFileMissing(db, unknown, now) : [];
  if (found.length > 0) await setFileMissing(db, found, null);
  return { lost, found, missing: missing.length };
}

/** With null the files are there. Returns the ids of resources that still exist. */
export async function setFileMissing(db: Db, ids: readonly string[], since: Date | null): Promise<string[]> {
  const changed = await db
    .update(courseResources)
    .set({ fileMissingSince: since })
    .where(inArray(courseResources.id, [...ids]))
    .returning({ id: courseResources.id });
  return changed.map(({ id }) => id);
}
