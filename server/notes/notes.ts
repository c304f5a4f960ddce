import { and, count, eq, ne } from "drizzle-orm";
import { type Bookmark, maxBookmarks } from "#contract/notes.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { lockLiveUser, type User } from "#server/identity/users.ts";
import { watchableLesson } from "#server/lessons/lessons.ts";
import { type BookmarkRow, listBookmarkRows } from "./queries.ts";
import { bookmarks } from "./tables.ts";

export async function listBookmarksOf(db: Db, userId: string): Promise<Bookmark[]> {
  return (await listBookmarkRows(db, userId)).map(present);
}

/** @throws Refusal as `watchableLesson`; conflict when the lesson has as many as it may. */
export async function addBookmark(
  ctx: Context,
  student: User,
  { lessonId, at, note }: { lessonId: string; at: number; note: string | null },
): Promise<Bookmark> {
  const lesson = await watchableLesson(ctx, student, lessonId);
  const now = ctx.clock.now();
  const second = Math.min(at, lesson.durationSeconds);
  return ctx.db.transaction(async (tx) => {
    // Locks the student: otherwise two concurrent requests could both add the last allowed bookmark.
    await lockLiveUser(tx, student.id);
    const ofLesson = and(eq(bookmarks.userId, student.id), eq(bookmarks.lessonId, lesson.id));
    const [others] = await tx
      .select({ count: count() })
      .from(bookmarks)
      .where(and(ofLesson, ne(bookmarks.at, second)));
    if (others && others.count >= maxBookmarks) {
      throw new Refusal("conflict", `You can have up to ${maxBookmarks} bookmarks in a lesson. Delete one first.`);
    }
    const kept = { note: note || null, updatedAt: now };
    const [row] = await tx
      .insert(bookmarks)
      .values({ userId: student.id, lessonId: lesson.id, at: second, createdAt: now, ...kept })
      .onConflictDoUpdate({ target: [bookmarks.userId, bookmarks.lessonId, bookmarks.at], set: kept })
      .returning();
    if (!row) throw new Error("a bookmark was not kept");
    return present(row);
  });
}

/** @throws Refusal not-found, also for the bookmark of somebody else. */
export async function editBookmark(ctx: Context, student: User, id: string, note: string | null): Promise<Bookmark> {
  const [row] = await ctx.db
    .update(bookmarks)
    .set({ note: note || null, updatedAt: ctx.clock.now() })
    .where(ownedBy(student, id))
    .returning();
  if (!row) throw notFound("bookmark");
  return present(row);
}

export async function removeBookmark(ctx: Context, student: User, id: string): Promise<void> {
  await ctx.db.delete(bookmarks).where(ownedBy(student, id));
}

export async function forgetBookmarks(tx: Db, userId: string): Promise<void> {
  await tx.delete(bookmarks).where(eq(bookmarks.userId, userId));
}

function ownedBy(student: User, id: string) {
  return and(eq(bookmarks.id, id), eq(bookmarks.userId, student.id));
}

function present({ id, lessonId, at, note, createdAt }: BookmarkRow): Bookmark {
  return { id, lessonId, at, note, createdAt: createdAt.toISOString() };
}
