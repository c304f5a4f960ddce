import { and, desc, eq, or, sql } from "drizzle-orm";
import type { PublicChange } from "#contract/lesson-changes.ts";
import type { Db } from "#server/db/db.ts";
import { isOpenAt, isWatchable, lessonChanges, lessons, modules } from "./tables.ts";

/** A lesson that waited for its time is new once it opens. */
const publicAt = sql<Date>`case when ${lessonChanges.kind} = 'new'
  then greatest(${lessonChanges.at}, ${lessons.opensAt}, ${modules.opensAt}) else ${lessonChanges.at} end`.mapWith(
  lessonChanges.at,
);

/** The changes that everybody may read, the newest first: of lessons that can be watched now, and that lessons have gone. */
export async function listPublicChanges(db: Db, now: Date, limit = 300): Promise<PublicChange[]> {
  const isShown = and(isWatchable, isOpenAt(now));
  const rows = await db
    .select({ change: lessonChanges, title: lessons.title, isShown: sql<boolean>`${isShown}`, at: publicAt })
    .from(lessonChanges)
    .innerJoin(lessons, eq(lessons.id, lessonChanges.lessonId))
    .innerJoin(modules, eq(modules.id, lessons.moduleId))
    .where(or(isShown, eq(lessonChanges.kind, "retired")))
    .orderBy(desc(publicAt), desc(lessonChanges.id))
    .limit(limit);
  return rows.map(({ change, title, isShown, at }) => ({
    id: change.id,
    at: at.toISOString(),
    kind: change.kind,
    from: change.fromSeconds,
    to: change.toSeconds,
    note: change.note,
    title: isShown ? title : change.title,
    lessonId: isShown ? change.lessonId : null,
  }));
}
