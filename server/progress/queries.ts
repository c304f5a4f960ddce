import { asc, eq, sql } from "drizzle-orm";
import { type Db, statement } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { courseProgress } from "./tables.ts";

/** What the student is shown of a record. */
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

export function listProgressRows(db: Db, userId: string): Promise<ProgressRow[]> {
  return statement(db, "progress_list", (db, name) =>
    db
      .select(shown)
      .from(courseProgress)
      .where(eq(courseProgress.userId, sql.placeholder("userId")))
      .orderBy(asc(courseProgress.lessonId))
      .prepare(name),
  ).execute({ userId });
}

export interface ProgressNote {
  readonly userId: string;
  readonly lessonId: string;
  readonly moduleId: string;
  /** Null leaves what is there. */
  readonly isCompleted: boolean | null;
  readonly watchTime: number | null;
  readonly position: number | null;
  readonly now: Date;
}

/**
 * Merges a note into the record of a lesson in one statement, so that notes from two tabs never undo each other: watch
 * time only grows, the position is the last one said, completion changes when it is said.
 */
export async function mergeProgress(db: Db, note: ProgressNote): Promise<ProgressRow> {
  const isCompleted = sql<boolean>`coalesce(${sql.placeholder("isCompleted")}::boolean, false)`;
  const [row] = await statement(db, "progress_merge", (db, name) =>
    db
      .insert(courseProgress)
      .values({
        id: sql.placeholder("id"),
        userId: sql.placeholder("userId"),
        lessonId: sql.placeholder("lessonId"),
        moduleId: sql.placeholder("moduleId"),
        isCompleted,
        watchTime: sql`coalesce(${sql.placeholder("watchTime")}::numeric, 0)`,
        position: sql`coalesce(${sql.placeholder("position")}::numeric, 0)`,
        completedAt: sql`case when ${isCompleted} then ${sql.placeholder("now")}::timestamptz end`,
        createdAt: sql`${sql.placeholder("now")}::timestamptz`,
        updatedAt: sql`${sql.placeholder("now")}::timestamptz`,
      })
      .onConflictDoUpdate({
        target: [courseProgress.userId, courseProgress.lessonId],
        set: {
          isCompleted: sql`coalesce(${sql.placeholder("isCompleted")}::boolean, ${courseProgress.isCompleted})`,
          watchTime: sql`greatest(${courseProgress.watchTime}, excluded.watch_time)`,
          position: sql`coalesce(${sql.placeholder("position")}::numeric, ${courseProgress.position})`,
          completedAt: sql`case
            when ${sql.placeholder("isCompleted")}::boolean is null then ${courseProgress.completedAt}
            when ${sql.placeholder("isCompleted")}::boolean then coalesce(${courseProgress.completedAt}, excluded.updated_at)
          end`,
          updatedAt: sql`excluded.updated_at`,
        },
      })
      .returning(shown)
      .prepare(name),
  ).execute({ ...note, id: newId(), now: note.now.toISOString() });
  if (!row) throw new Error("an upsert returned no row");
  return row;
}
