import { asc, eq } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { courseResources, resourceDownloads } from "../tables.ts";

/** The resources' counts stay. */
export async function forgetDownloads(tx: Db, userId: string): Promise<void> {
  await tx.delete(resourceDownloads).where(eq(resourceDownloads.userId, userId));
}

export function listDownloadsOf(db: Db, userId: string): Promise<{ title: string; downloadedAt: Date }[]> {
  return db
    .select({ title: courseResources.title, downloadedAt: resourceDownloads.downloadedAt })
    .from(resourceDownloads)
    .innerJoin(courseResources, eq(courseResources.id, resourceDownloads.resourceId))
    .where(eq(resourceDownloads.userId, userId))
    .orderBy(asc(resourceDownloads.downloadedAt));
}
