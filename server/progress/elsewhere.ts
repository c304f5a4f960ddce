import { asc, sql } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { lockExistingLessons } from "./queries.ts";
import { lessonsCompletedElsewhere } from "./tables.ts";

/** The ids of the lessons that each of these students completed in another program, in their order. */
export async function listCompletedElsewhere(db: Db, userIds: readonly string[]): Promise<string[][]> {
  const { userId, lessonId } = lessonsCompletedElsewhere;
  const rows = await db
    .select({ userId, lessonId })
    .from(lessonsCompletedElsewhere)
    .where(sql`${userId} = any(${sql.param([...userIds])})`)
    .orderBy(asc(lessonId));
  const byUser = Map.groupBy(rows, (row) => row.userId);
  return userIds.map((id) => byUser.get(id)?.map((row) => row.lessonId) ?? []);
}

/** Leaves out lessons that no longer exist. Safe to repeat. */
export async function recordCompletedElsewhere(
  tx: Db,
  userId: string,
  lessonIds: readonly string[],
  now: Date,
): Promise<void> {
  const existing = await lockExistingLessons(tx, lessonIds);
  const rows = existing.map((lessonId) => ({ userId, lessonId, createdAt: now }));
  if (rows.length > 0) await tx.insert(lessonsCompletedElsewhere).values(rows).onConflictDoNothing();
}
