import { asc, eq, sql } from "drizzle-orm";
import { lessons } from "#server/catalogue/tables.ts";
import { type Db, readStatement, statement } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import type { Claim } from "./rules.ts";
import { courseProgress } from "./tables.ts";

const shown = {
  lessonId: courseProgress.lessonId,
  moduleId: courseProgress.moduleId,
  isCompleted: courseProgress.isCompleted,
  watchTime: courseProgress.watchTime,
  position: courseProgress.position,
  completedAt: courseProgress.completedAt,
  updatedAt: courseProgress.updatedAt,
};

export type ProgressRow = Pick<typeof courseProgress.$inferSelect, keyof typeof shown>;

export function listProgressRows(db: Db, userId: string): Promise<(ProgressRow & { durationSeconds: number })[]> {
  return readStatement(db, "progress_list", (db, name) =>
    db
      .select({ ...shown, durationSeconds: lessons.durationSeconds })
      .from(courseProgress)
      .innerJoin(lessons, eq(lessons.id, courseProgress.lessonId))
      .where(eq(courseProgress.userId, sql.placeholder("userId")))
      .orderBy(asc(courseProgress.lessonId))
      .prepare(name),
  ).execute({ userId });
}

export interface ProgressNote {
  readonly userId: string;
  readonly lessonId: string;
  readonly moduleId: string;
  /** Null keeps the stored value. */
  readonly isCompleted: boolean | null;
  readonly claim: Claim | null;
  /** Seconds. */
  readonly position: number | null;
  /** How much of the lesson completes it, in hundredths of a second. */
  readonly enough: number;
  /** When it was so; not after `now`. */
  readonly at: Date;
  readonly now: Date;
  /** Since when a lesson without a record can have been watched. */
  readonly openedAt: Date;
}

/** The database's `merge_progress` holds the row's lock, so that notes from two tabs never undo each other. */
export async function mergeProgress(db: Db, { claim, ...note }: ProgressNote): Promise<ProgressRow> {
  const [row] = await mergeStatement(db).execute({
    ...note,
    id: newId(),
    claimed: claim?.stretches ?? null,
    mostCoverage: claim?.total ?? 0,
    at: note.at.toISOString(),
    now: note.now.toISOString(),
    openedAt: note.openedAt.toISOString(),
  });
  if (!row) throw new Error("merge_progress returned no record");
  return row;
}

function mergeStatement(db: Db) {
  return statement(db, "progress_merge", (db, name) => {
    const merged = db.$with("merged", shown).as(sql`select * from merge_progress(
      new_id => ${sql.placeholder("id")},
      student_id => ${sql.placeholder("userId")},
      of_lesson_id => ${sql.placeholder("lessonId")},
      of_module_id => ${sql.placeholder("moduleId")},
      claimed => ${sql.placeholder("claimed")},
      most_coverage => ${sql.placeholder("mostCoverage")},
      coverage_to_complete => ${sql.placeholder("enough")},
      marked_completed => ${sql.placeholder("isCompleted")},
      said_position => ${sql.placeholder("position")},
      said_at => ${sql.placeholder("at")},
      received_at => ${sql.placeholder("now")},
      opened_at => ${sql.placeholder("openedAt")}
    )`);
    return db.with(merged).select().from(merged).prepare(name);
  });
}
