import { and, asc, eq } from "drizzle-orm";
import { isOpenAt, isWatchable, lessons, modules } from "#server/catalogue/tables.ts";
import type { Db } from "#server/db/db.ts";
import { openingRequests } from "./tables.ts";

export function listOpeningRequestRows(db: Db, userId: string) {
  return db
    .select({ lessonId: openingRequests.lessonId, createdAt: openingRequests.createdAt })
    .from(openingRequests)
    .where(eq(openingRequests.userId, userId))
    .orderBy(asc(openingRequests.createdAt), asc(openingRequests.lessonId));
}

/** Requests for lessons that are open now, locked; those that another node has locked are left out. */
export function lockFulfilledRequests(tx: Db, now: Date, limit: number) {
  return tx
    .select({
      userId: openingRequests.userId,
      createdAt: openingRequests.createdAt,
      lessonId: lessons.id,
      title: lessons.title,
      freePreview: lessons.freePreview,
      requiredTier: modules.requiredTier,
    })
    .from(openingRequests)
    .innerJoin(lessons, eq(lessons.id, openingRequests.lessonId))
    .innerJoin(modules, eq(modules.id, lessons.moduleId))
    .where(and(isWatchable, isOpenAt(now)))
    .orderBy(asc(openingRequests.createdAt))
    .limit(limit)
    .for("update", { of: openingRequests, skipLocked: true });
}
