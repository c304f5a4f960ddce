import { asc, eq } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { openingRequests } from "./tables.ts";

export function listOpeningRequestRows(db: Db, userId: string) {
  return db
    .select({ lessonId: openingRequests.lessonId, createdAt: openingRequests.createdAt })
    .from(openingRequests)
    .where(eq(openingRequests.userId, userId))
    .orderBy(asc(openingRequests.createdAt), asc(openingRequests.lessonId));
}
