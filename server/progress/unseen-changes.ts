import { and, eq, sql } from "drizzle-orm";
import type { UnseenChange } from "#contract/unseen-changes.ts";
import { notFound } from "#server/base/refusal.ts";
import { findLessonChange } from "#server/catalogue/lesson-changes.ts";
import type { Context } from "#server/context/context.ts";
import { listUnseenRows } from "./queries.ts";
import { courseProgress } from "./tables.ts";

/** What changed in lessons after the student began them, until they have seen it; the newest first. */
export async function listUnseenOf({ db, clock }: Context, userId: string): Promise<UnseenChange[]> {
  const rows = await listUnseenRows(db, userId, clock.now());
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }));
}

/**
 * Notes that the student has seen the changes of a lesson up to one of them, and returns those that are left.
 * @throws Refusal not-found.
 */
export async function seeChangesOf(
  ctx: Context,
  userId: string,
  { lessonId, changeId }: { readonly lessonId: string; readonly changeId: string },
): Promise<UnseenChange[]> {
  const change = await findLessonChange(ctx.db, changeId);
  if (change?.lessonId !== lessonId) throw notFound("change");
  // An older tab must not bring back what was seen since.
  await ctx.db
    .update(courseProgress)
    .set({ changesSeenAt: sql`greatest(${courseProgress.changesSeenAt}, ${change.at.toISOString()}::timestamptz)` })
    .where(and(eq(courseProgress.userId, userId), eq(courseProgress.lessonId, lessonId)));
  return listUnseenOf(ctx, userId);
}
