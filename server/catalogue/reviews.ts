import { and, eq, inArray, lte, sql } from "drizzle-orm";
import type { Page, Paging } from "#contract/admin/admin.ts";
import type { LessonReview, LessonReviewFilter } from "#contract/admin/lesson-reviews.ts";
import { audited } from "#server/audit/audit.ts";
import { after, DAY } from "#server/base/clock.ts";
import { invalidFields, notFound } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { selectPage } from "#server/db/paging.ts";
import { listPeople, nameOf } from "#server/identity/names.ts";
import type { User } from "#server/identity/users.ts";
import { currentSettings } from "#server/settings/settings.ts";
import { isOpenAt, isWatchable, lessons, modules } from "./tables.ts";

/** A lesson that was never checked counts from when it was last published. */
const lastChecked = sql`coalesce(${lessons.verifiedAt}, ${lessons.updatedAt})`;

const isShownAt = (db: Db, now: Date) =>
  inArray(
    lessons.id,
    db
      .select({ id: lessons.id })
      .from(lessons)
      .innerJoin(modules, eq(modules.id, lessons.moduleId))
      .where(and(isWatchable, isOpenAt(now))),
  );

const isDueAt = (now: Date, reviewEveryDays: number) => lte(lastChecked, after(now, -reviewEveryDays * DAY));

/** The lessons that students can watch, the longest unchecked first. */
export async function listReviews(
  { db, clock }: Context,
  { show, ...page }: LessonReviewFilter & Paging,
): Promise<Page<LessonReview>> {
  const now = clock.now();
  const { reviewEveryDays } = await currentSettings(db);
  const where = and(isShownAt(db, now), show === "all" ? undefined : isDueAt(now, reviewEveryDays));
  const select = db
    .select({
      id: lessons.id,
      title: lessons.title,
      moduleTitle: modules.title,
      verifiedAt: lessons.verifiedAt,
      verifiedBy: lessons.verifiedBy,
      updatedAt: lessons.updatedAt,
    })
    .from(lessons)
    .innerJoin(modules, eq(modules.id, lessons.moduleId))
    .$dynamic();
  const part = { ...page, table: lessons, id: lessons.id, key: lastChecked, direction: "asc", where } as const;
  const { rows, total } = await selectPage(db, select, part);
  const people = await listPeople(
    db,
    rows.flatMap(({ verifiedBy }) => verifiedBy ?? []),
  );
  const described = rows.map(({ verifiedAt, verifiedBy, updatedAt, ...row }) => ({
    ...row,
    verifiedAt: verifiedAt?.toISOString() ?? null,
    verifiedBy: verifiedBy && nameOf(people.find(({ id }) => id === verifiedBy) ?? null),
    publishedAt: updatedAt.toISOString(),
    dueAt: after(verifiedAt ?? updatedAt, reviewEveryDays * DAY).toISOString(),
  }));
  return { rows: described, total };
}

/** How many lessons `listReviews` shows as due. */
export async function countDueReviews({ db, clock }: Context): Promise<number> {
  const now = clock.now();
  const { reviewEveryDays } = await currentSettings(db);
  return db.$count(lessons, and(isShownAt(db, now), isDueAt(now, reviewEveryDays)));
}

/**
 * Notes that a lesson was checked now.
 * @param earlier takes the check back, and restores this time; null: the lesson was never checked
 * @throws Refusal not-found; invalid-input for a time that has not come
 */
export async function verifyLesson(
  ctx: Context,
  actor: User,
  lessonId: string,
  earlier: string | null | undefined,
): Promise<void> {
  const action = earlier === undefined ? "check lesson" : "undo check of lesson";
  await audited(ctx, { actor, action, subject: lessonId }, async (tx, now) => {
    const verifiedAt = earlier === undefined ? now : earlier && new Date(earlier);
    if (verifiedAt && verifiedAt > now) throw invalidFields({ verifiedAt: ["This time hasn’t come yet"] });
    const [lesson] = await tx
      .select({ verifiedAt: lessons.verifiedAt })
      .from(lessons)
      .where(eq(lessons.id, lessonId))
      .for("update");
    if (!lesson) throw notFound("lesson");
    await tx
      .update(lessons)
      .set({ verifiedAt: verifiedAt || null, verifiedBy: earlier === undefined ? actor.id : null })
      .where(eq(lessons.id, lessonId));
    return { before: { verifiedAt: lesson.verifiedAt }, after: { verifiedAt } };
  });
}
