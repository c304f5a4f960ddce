import { and, asc, eq, sql } from "drizzle-orm";
import { lessons, modules } from "#server/catalogue/tables.ts";
import type { Db } from "#server/db/db.ts";
import { courseResources, resourceDownloads } from "./tables.ts";

export type ResourceRow = typeof courseResources.$inferSelect;

export interface ResourceFilter {
  readonly moduleId?: string | undefined;
  readonly lessonId?: string | undefined;
}

/** The form of our ids; PostgreSQL would choke on some of what else comes in an address. */
const isId = (text: string) => /^[0-9a-z]{20}$/.test(text);

/** In the order of the course: by module, what belongs to the module as a whole first, then by lesson and age. */
export async function listResourceRows(db: Db, filter: ResourceFilter, activeOnly: boolean): Promise<ResourceRow[]> {
  const rows = await db
    .select({ resource: courseResources })
    .from(courseResources)
    .innerJoin(modules, eq(modules.id, courseResources.moduleId))
    .leftJoin(lessons, eq(lessons.id, courseResources.lessonId))
    .where(
      and(
        activeOnly ? eq(courseResources.isActive, true) : undefined,
        filter.moduleId ? eq(courseResources.moduleId, filter.moduleId) : undefined,
        filter.lessonId ? eq(courseResources.lessonId, filter.lessonId) : undefined,
      ),
    )
    .orderBy(
      asc(modules.position),
      sql`${lessons.position} nulls first`,
      asc(courseResources.createdAt),
      asc(courseResources.id),
    );
  return rows.map(({ resource }) => resource);
}

/** The resource of an id as it came from outside; null when there is none or when it is no id at all. */
export async function findResource(db: Db, id: string): Promise<ResourceRow | null> {
  if (!isId(id)) return null;
  const [row] = await db.select().from(courseResources).where(eq(courseResources.id, id));
  return row ?? null;
}

/** As `findResource`, locked until the transaction ends. */
export async function lockResource(db: Db, id: string): Promise<ResourceRow | null> {
  if (!isId(id)) return null;
  const [row] = await db.select().from(courseResources).where(eq(courseResources.id, id)).for("update");
  return row ?? null;
}

/** Counts downloads of a resource and notes whose they were; nothing of it when the resource was deleted meanwhile. */
export async function addDownloads(db: Db, id: string, userIds: readonly string[], now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const counted = await tx
      .update(courseResources)
      .set({ downloadCount: sql`${courseResources.downloadCount} + ${userIds.length}` })
      .where(eq(courseResources.id, id))
      .returning({ resourceId: courseResources.id });
    for (const { resourceId } of counted) {
      await tx.insert(resourceDownloads).values(userIds.map((userId) => ({ userId, resourceId, downloadedAt: now })));
    }
  });
}

/** Whether a module has a resource of this title. */
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

/** The name in the store of every resource, whatever its state. */
export async function listStorageKeys(db: Db): Promise<{ id: string; storageKey: string; isActive: boolean }[]> {
  const { id, storageKey, isActive } = courseResources;
  return db.select({ id, storageKey, isActive }).from(courseResources);
}
