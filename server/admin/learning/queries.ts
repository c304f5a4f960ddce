import { and, asc, eq, sql } from "drizzle-orm";
import { isWatchable, lessons, modules } from "#server/catalogue/tables.ts";
import { type Db, rowsOf } from "#server/db/db.ts";
import { courseProgress } from "#server/progress/tables.ts";
import { courseResources } from "#server/resources/tables.ts";

export interface LearningCount {
  /** ISO 8601. */
  readonly asOf: string;
  readonly students: number;
  readonly modules: readonly { readonly id: string; readonly started: number; readonly completed: number }[];
  readonly lessons: readonly LessonCount[];
}

interface LessonCount {
  readonly id: string;
  readonly started: number;
  readonly completed: number;
  readonly watchSeconds: number;
  readonly stoppedHere: number;
  readonly lastCompleted: number;
}

/** Reads every progress row, which takes milliseconds for thousands of students and seconds for a hundred thousand. */
export async function countLearning(db: Db, now: Date): Promise<LearningCount> {
  const lessonRows = await rowsOf<Omit<LessonCount, "stoppedHere" | "lastCompleted">>(
    db,
    sql`select lesson_id as id, count(*)::int as started, (count(*) filter (where is_completed))::int as completed,
      sum(watch_time)::float8 as "watchSeconds"
    from ${courseProgress} group by 1`,
  );
  const moduleRows = await rowsOf<LearningCount["modules"][number]>(
    db,
    sql`${course} select student.module_id as id, count(*)::int as started,
      (count(*) filter (where student.done = whole.lessons))::int as completed
    from (
      select user_id, course.module_id, count(*) filter (where is_completed and is_watchable) as done
      from ${courseProgress} join course on course.id = course_progress.lesson_id group by 1, 2
    ) as student
      join (select module_id, count(*) filter (where is_watchable) as lessons from course group by 1) as whole
        on whole.module_id = student.module_id
    group by 1`,
  );
  const ends = await rowsOf<{ id: string; isCompleted: boolean; students: number }>(
    db,
    sql`${course} select course.id, far % 2 = 1 as "isCompleted", students from (
      select far, count(*)::int as students from (
        select max(course.number * 2 + is_completed::int) as far
        from ${courseProgress} join course on course.id = course_progress.lesson_id group by user_id
      ) as student group by 1
    ) as reached join course on course.number = far / 2`,
  );
  const endedAt = (id: string, how: { readonly isCompleted: boolean }) =>
    ends.find((end) => end.id === id && end.isCompleted === how.isCompleted)?.students ?? 0;
  return {
    asOf: now.toISOString(),
    students: ends.reduce((sum, { students }) => sum + students, 0),
    modules: moduleRows,
    lessons: lessonRows.map((row) => ({
      ...row,
      stoppedHere: endedAt(row.id, { isCompleted: false }),
      lastCompleted: endedAt(row.id, { isCompleted: true }),
    })),
  };
}

const course = sql`with course as (
  select ${lessons.id} as id, ${lessons.moduleId} as module_id,
    (${isWatchable}) as is_watchable,
    row_number() over (order by ${modules.position}, ${lessons.position}, ${lessons.id}) as number
  from ${lessons} join ${modules} on ${modules.id} = ${lessons.moduleId}
)`;

export async function hasMoreProgressThan(db: Db, rows: number): Promise<boolean> {
  const [found] = await db.select({ id: courseProgress.id }).from(courseProgress).limit(1).offset(rows);
  return found !== undefined;
}

export function listCourse(db: Db) {
  return db
    .select({ module: modules, lesson: lessons })
    .from(modules)
    .leftJoin(lessons, and(eq(lessons.moduleId, modules.id), eq(lessons.released, true)))
    .where(eq(modules.released, true))
    .orderBy(asc(modules.position), asc(lessons.position));
}

/** Rows without a lesson belong to their module. */
export function listDownloadCounts(db: Db) {
  return db
    .select({
      moduleId: courseResources.moduleId,
      lessonId: courseResources.lessonId,
      downloads: sql<number>`sum(${courseResources.downloadCount})::int`,
    })
    .from(courseResources)
    .groupBy(courseResources.moduleId, courseResources.lessonId);
}
