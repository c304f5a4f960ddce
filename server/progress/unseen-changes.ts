import { and, desc, eq, gt, inArray, sql } from "drizzle-orm";
import type { UnseenChange } from "#contract/lesson-changes.ts";
import { notFound } from "#server/base/refusal.ts";
import { isOpenAt, isWatchable, lessonChanges, lessons, modules } from "#server/catalogue/tables.ts";
import type { Context } from "#server/context/context.ts";
import { courseProgress } from "./tables.ts";

/** What changed in lessons after the student began them, until they have seen it; the newest first. */
export async function listUnseenOf({ db, clock }: Context, userId: string): Promise<UnseenChange[]> {
  const rows = await db
    .select({
      id: lessonChanges.id,
      lessonId: lessonChanges.lessonId,
      at: lessonChanges.at,
      from: lessonChanges.fromSeconds,
      to: lessonChanges.toSeconds,
      note: lessonChanges.note,
    })
    .from(courseProgress)
    .innerJoin(lessonChanges, eq(lessonChanges.lessonId, courseProgress.lessonId))
    .innerJoin(lessons, eq(lessons.id, courseProgress.lessonId))
    .innerJoin(modules, eq(modules.id, lessons.moduleId))
    .where(
      and(
        eq(courseProgress.userId, userId),
        inArray(lessonChanges.kind, ["corrected", "replaced"]),
        gt(lessonChanges.at, sql`coalesce(${courseProgress.changesSeenAt}, ${courseProgress.createdAt})`),
        isWatchable,
        isOpenAt(clock.now()),
      ),
    )
    .orderBy(desc(lessonChanges.at), desc(lessonChanges.id));
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
  const [change] = await ctx.db
    .select({ at: lessonChanges.at })
    .from(lessonChanges)
    .where(and(eq(lessonChanges.id, changeId), eq(lessonChanges.lessonId, lessonId)));
  if (!change) throw notFound("change");
  // An older tab must not bring back what was seen since.
  await ctx.db
    .update(courseProgress)
    .set({ changesSeenAt: sql`greatest(${courseProgress.changesSeenAt}, ${change.at.toISOString()}::timestamptz)` })
    .where(and(eq(courseProgress.userId, userId), eq(courseProgress.lessonId, lessonId)));
  return listUnseenOf(ctx, userId);
}
