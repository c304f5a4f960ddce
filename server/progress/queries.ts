import { and, asc, desc, eq, gt, inArray, sql } from "drizzle-orm";
import { isOpenAt, isWatchable, lessonChanges, lessons, modules } from "#server/catalogue/tables.ts";
import { batched } from "#server/db/batching.ts";
import { type Db, isDataError, readStatement, statement } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import type { Claim } from "./rules.ts";
import { courseProgress } from "./tables.ts";

const shown = {
  lessonId: courseProgress.lessonId,
  moduleId: courseProgress.moduleId,
  isCompleted: courseProgress.isCompleted,
  watchTime: courseProgress.watchTime,
  earlierWatchTime: courseProgress.earlierWatchTime,
  position: courseProgress.position,
  completedAt: courseProgress.completedAt,
  completedBy: courseProgress.completedBy,
  updatedAt: courseProgress.updatedAt,
};

export type ProgressRow = Pick<typeof courseProgress.$inferSelect, keyof typeof shown>;

/** A change that the student has not seen, of a lesson that they began before it. */
const isUnseen = and(
  eq(lessonChanges.lessonId, courseProgress.lessonId),
  inArray(lessonChanges.kind, ["corrected", "replaced"]),
  gt(lessonChanges.at, sql`coalesce(${courseProgress.changesSeenAt}, ${courseProgress.createdAt})`),
);

export interface ListedRow extends ProgressRow {
  readonly durationSeconds: number;
  readonly isChanged: boolean;
}

export function listProgressRows(db: Db, userId: string): Promise<ListedRow[]> {
  return readStatement(db, "progress_list", (db, name) =>
    db
      .select({
        ...shown,
        durationSeconds: lessons.durationSeconds,
        isChanged: sql<boolean>`exists (select from ${lessonChanges} where ${isUnseen})`,
      })
      .from(courseProgress)
      .innerJoin(lessons, eq(lessons.id, courseProgress.lessonId))
      .where(eq(courseProgress.userId, sql.placeholder("userId")))
      .orderBy(asc(courseProgress.lessonId))
      .prepare(name),
  ).execute({ userId });
}

/** Changes of lessons that the student began before them and has not seen, the newest first. */
export function listUnseenRows(db: Db, userId: string, now: Date) {
  return db
    .select({
      id: lessonChanges.id,
      lessonId: lessonChanges.lessonId,
      at: lessonChanges.at,
      from: lessonChanges.fromSeconds,
      to: lessonChanges.toSeconds,
      note: lessonChanges.note,
    })
    .from(courseProgress)
    .innerJoin(lessonChanges, isUnseen)
    .innerJoin(lessons, eq(lessons.id, courseProgress.lessonId))
    .innerJoin(modules, eq(modules.id, lessons.moduleId))
    .where(and(eq(courseProgress.userId, userId), isWatchable, isOpenAt(now)))
    .orderBy(desc(lessonChanges.at), desc(lessonChanges.id));
}

export interface ProgressNote {
  readonly userId: string;
  readonly lessonId: string;
  readonly moduleId: string;
  /** Null keeps the stored value. So does false, if a note with a later time has arrived before. */
  readonly isCompleted: boolean | null;
  readonly claim: Claim | null;
  /** Seconds. */
  readonly position: number | null;
  /** The video that claim and position are about; null: the lesson's, whichever it is. */
  readonly videoId: string | null;
  /** How much of the lesson completes it, in hundredths of a second; null for a text lesson. */
  readonly enough: number | null;
  /** The time of the note, not after `now`. */
  readonly at: Date;
  readonly now: Date;
  /** The earliest instant from which a lesson without a record may have been watched. */
  readonly openedAt: Date;
}

/** Merges a note, batched with others into one statement. A note that cannot be merged fails alone. */
export function mergeProgress(db: Db, note: ProgressNote): Promise<ProgressRow> {
  return batched(db, "progress_merge", mergeEach)(note);
}

async function mergeEach(db: Db, notes: readonly ProgressNote[]): Promise<(ProgressRow | Error)[]> {
  try {
    return await mergeAll(db, notes);
  } catch (error) {
    if (notes.length === 1 || !isDataError(error)) throw error;
    const merged: (ProgressRow | Error)[] = [];
    // Keeps their order, which matters for notes of one record.
    for (const note of notes) merged.push(await mergeAll(db, [note]).then(([row]) => row ?? noRecord(), asError));
    return merged;
  }
}

/**
 * `merge_progress_of_video` locks the row, so that notes of two tabs do not overwrite each other. Rows are locked in the same
 * order on every node; notes of one record are merged in their order.
 */
async function mergeAll(db: Db, notes: readonly ProgressNote[]): Promise<ProgressRow[]> {
  const sorted = notes
    .map((note, number) => ({ ...parametersOf(note), number }))
    .sort((a, b) => compare(a.userId, b.userId) || compare(a.lessonId, b.lessonId) || a.number - b.number);
  const rows = await mergeStatement(db).execute({ notes: JSON.stringify(sorted) });
  const byNumber = new Map(rows.map(({ number, ...row }) => [number, row]));
  return notes.map((_, number) => byNumber.get(number) ?? noRecord());
}

function parametersOf({ claim, ...note }: ProgressNote) {
  return { ...note, id: newId(), claimed: claim?.stretches ?? null, mostCoverage: claim?.total ?? 0 };
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

function noRecord(): never {
  throw new Error("merge_progress returned no record");
}

function mergeStatement(db: Db) {
  return statement(db, "progress_merge", (db, name) => {
    const merged = db.$with("merged", { number: sql<number>`number`.as("number"), ...shown }).as(sql`
      select note.number, record.*
      from json_to_recordset(${sql.placeholder("notes")}) as note(
        number int, id text, "userId" text, "lessonId" text, "moduleId" text, claimed int4multirange, "mostCoverage" int,
        "videoId" text, enough int, "isCompleted" boolean, position numeric, at timestamptz, now timestamptz, "openedAt" timestamptz
      )
      cross join lateral merge_progress_of_video(
        of_video_id => note."videoId",
        new_id => note.id,
        student_id => note."userId",
        of_lesson_id => note."lessonId",
        of_module_id => note."moduleId",
        claimed => note.claimed,
        most_coverage => note."mostCoverage",
        coverage_to_complete => note.enough,
        marked_completed => note."isCompleted",
        said_position => note.position,
        said_at => note.at,
        received_at => note.now,
        opened_at => note."openedAt"
      ) as record`);
    return db.with(merged).select().from(merged).prepare(name);
  });
}

/** The ids of those that exist, which then can't be deleted before the transaction ends. */
export async function lockExistingLessons(tx: Db, lessonIds: readonly string[]): Promise<string[]> {
  const rows = await tx
    .select({ id: lessons.id })
    .from(lessons)
    .where(inArray(lessons.id, [...lessonIds]))
    .for("key share");
  return rows.map(({ id }) => id);
}
