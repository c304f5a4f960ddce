import { asc, eq } from "drizzle-orm";
import { lessons, modules } from "#server/catalogue/tables.ts";
import type { Db } from "#server/db/db.ts";
import { bookmarks } from "./tables.ts";

export type BookmarkRow = typeof bookmarks.$inferSelect;

/** In the order of the course. */
export async function listBookmarkRows(db: Db, userId: string): Promise<BookmarkRow[]> {
  const rows = await db
    .select({ bookmark: bookmarks })
    .from(bookmarks)
    .innerJoin(lessons, eq(lessons.id, bookmarks.lessonId))
    .innerJoin(modules, eq(modules.id, lessons.moduleId))
    .where(eq(bookmarks.userId, userId))
    .orderBy(asc(modules.position), asc(lessons.position), asc(bookmarks.at));
  return rows.map(({ bookmark }) => bookmark);
}
