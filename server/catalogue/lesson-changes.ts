import { isDeepStrictEqual } from "node:util";
import { and, eq, gt, or, sql } from "drizzle-orm";
import type { Page, Paging } from "#contract/admin/admin.ts";
import type { LessonContent } from "#contract/admin/content.ts";
import type { LessonChange } from "#contract/admin/lesson-changes.ts";
import { type ChangeText, changeReasons, type DescribedChange } from "#contract/lesson-changes.ts";
import { noVideo } from "#contract/video-id.ts";
import { audited, differences } from "#server/audit/audit.ts";
import { invalidFields, notFound, Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { selectPage } from "#server/db/paging.ts";
import type { User } from "#server/identity/users.ts";
import { captionsOf, type Draft, findPublished } from "./content.ts";
import { waitForPages } from "./page-facts.ts";
import { listProduced, type ProducedLesson } from "./queries.ts";
import { isOpenAt, isWatchable, lessonChanges, lessons, modules } from "./tables.ts";

/** What whoever publishes tells students, by lesson; null: nothing. */
export type Described = Readonly<Record<string, DescribedChange | null>>;

interface Publication {
  /** The produced lessons before it. */
  readonly before: ReadonlyMap<string, ProducedLesson>;
  readonly described: Described;
}

/**
 * Call it before the drafts are published.
 * @throws Refusal undescribed-change, with the reasons by lesson, for another video or other captions of
 * a lesson that students can watch, before and afterwards, and that nobody has described
 */
export async function requireDescribed(
  tx: Db,
  drafts: readonly Draft[],
  { before, described }: Publication,
): Promise<void> {
  const errors: Record<string, string[]> = {};
  for (const { kind, id, content } of drafts) {
    if (kind !== "lesson" || !before.get(id)?.isOpen || described[id] !== undefined) continue;
    const reason = reasonToDescribe((await findPublished(tx, "lesson", id)) as LessonContent, content as LessonContent);
    if (reason) errors[id] = [reason];
  }
  const count = Object.keys(errors).length;
  if (count === 0) return;
  const lessons = count === 1 ? "1 lesson" : `${count} lessons`;
  throw new Refusal("undescribed-change", `Tell students what changed in ${lessons}.`, { errors });
}

function reasonToDescribe(before: LessonContent, after: LessonContent): string | null {
  if (!after.released || after.comingSoon || after.kind !== "video" || after.videoId === noVideo) return null;
  if (after.videoId !== before.videoId) return changeReasons.video;
  const cuesOf = (lesson: LessonContent) => captionsOf(lesson).map(({ cues }) => cues);
  const cuesAfter = cuesOf(after);
  // Captions in another language take nothing away.
  const isKept = cuesOf(before).every(
    (cues) => cues.length === 0 || cuesAfter.some((one) => isDeepStrictEqual(one, cues)),
  );
  return isKept ? null : changeReasons.captions;
}

/** Records the changes that were described, and the lessons that have come and gone. Call it after publishing. */
export async function recordLessonChanges(tx: Db, { before, described }: Publication, now: Date): Promise<void> {
  const after = await listProduced(tx, now);
  const record = (lessonId: string, { title }: ProducedLesson, change: Partial<typeof lessonChanges.$inferInsert>) =>
    tx.insert(lessonChanges).values({ lessonId, title, at: now, kind: "new", note: "", ...change });
  for (const [id, lesson] of after) {
    const change = described[id];
    const opensEarly = before.get(id)?.isOpen === false && lesson.isOpen;
    if (!before.has(id) || opensEarly) {
      await dropNew(tx, id);
      await record(id, lesson, {});
    } else if (change && lesson.isOpen) {
      await record(id, lesson, { ...change, fromSeconds: change.from, toSeconds: change.to });
    }
  }
  for (const [id, lesson] of before) {
    if (after.has(id)) continue;
    // Nobody has heard of a lesson that was never open.
    if (lesson.isOpen) await record(id, lesson, { kind: "retired" });
    else await dropNew(tx, id);
  }
}

/** Deletes the notes that a lesson is new, except those from before it was retired. */
async function dropNew(tx: Db, lessonId: string): Promise<void> {
  const retiredAt = sql`(select max(${lessonChanges.at}) from ${lessonChanges} where ${lessonChanges.lessonId} = ${lessonId} and ${lessonChanges.kind} = 'retired')`;
  await tx
    .delete(lessonChanges)
    .where(
      and(
        eq(lessonChanges.lessonId, lessonId),
        eq(lessonChanges.kind, "new"),
        gt(lessonChanges.at, sql`coalesce(${retiredAt}, '-infinity')`),
      ),
    );
}

export async function listLessonChanges({ db, clock }: Context, page: Paging): Promise<Page<LessonChange>> {
  const select = db
    .select({
      change: lessonChanges,
      title: lessons.title,
      isPublic: sql<boolean>`${or(and(isWatchable, isOpenAt(clock.now())), eq(lessonChanges.kind, "retired"))}`,
    })
    .from(lessonChanges)
    .innerJoin(lessons, eq(lessons.id, lessonChanges.lessonId))
    .innerJoin(modules, eq(modules.id, lessons.moduleId))
    .$dynamic();
  const part = { ...page, table: lessonChanges, id: lessonChanges.id, key: lessonChanges.at, where: undefined };
  const { rows, total } = await selectPage(db, select, part);
  const described = rows.map(({ change, title, isPublic }) => ({
    id: change.id,
    lessonId: change.lessonId,
    at: change.at.toISOString(),
    kind: change.kind,
    ...textOf(change),
    title,
    isPublic,
  }));
  return { rows: described, total };
}

const textOf = ({ fromSeconds: from, toSeconds: to, note }: typeof lessonChanges.$inferSelect): ChangeText => ({
  from,
  to,
  note,
});

/** @throws Refusal not-found; invalid-input. */
export async function editLessonChange(ctx: Context, actor: User, id: string, text: ChangeText): Promise<void> {
  const subject = (await findLessonChange(ctx.db, id))?.lessonId ?? id;
  await audited(ctx, { actor, action: "edit change of lesson", subject }, async (tx) => {
    const known = await lockChange(tx, id);
    if (text.note === "" && (known.kind === "corrected" || known.kind === "replaced")) {
      throw invalidFields({ note: ["Required"] });
    }
    const { from: fromSeconds, to: toSeconds, note } = text;
    await tx.update(lessonChanges).set({ fromSeconds, toSeconds, note }).where(eq(lessonChanges.id, id));
    return differences({ ...textOf(known) }, { ...text });
  });
  await waitForPages();
}

/** @throws Refusal not-found. */
export async function deleteLessonChange(ctx: Context, actor: User, id: string): Promise<void> {
  const subject = (await findLessonChange(ctx.db, id))?.lessonId ?? id;
  await audited(ctx, { actor, action: "delete change of lesson", subject }, async (tx) => {
    const known = await lockChange(tx, id);
    await tx.delete(lessonChanges).where(eq(lessonChanges.id, id));
    return { before: { kind: known.kind, ...textOf(known) } };
  });
  await waitForPages();
}

export async function findLessonChange(db: Db, id: string) {
  const [row] = await db.select().from(lessonChanges).where(eq(lessonChanges.id, id));
  return row ?? null;
}

/** Locked until the end of a transaction. */
async function lockChange(tx: Db, id: string) {
  const [row] = await tx.select().from(lessonChanges).where(eq(lessonChanges.id, id)).for("update");
  if (!row) throw notFound("change");
  return row;
}
