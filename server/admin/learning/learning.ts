import { z } from "zod";
import type { Learning } from "#contract/admin/statistics.ts";
import { after, MINUTE } from "#server/base/clock.ts";
import { isComingSoon } from "#server/catalogue/catalogue.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { findOperationalMark, recordOperationalMark } from "#server/db/operational-marks.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { countQuestionsByLesson } from "#server/questions/administration.ts";
import { countLearning, hasMoreProgressThan, type LearningCount, listCourse, listDownloadCounts } from "./queries.ts";

/**
 * Up to this many progress rows are counted within the request. Above it a job counts, and its last result is shown.
 */
const countedAtOnce = 50_000;
const every = 10 * MINUTE;
const name = "learning-count";

export async function describeLearning(ctx: Context): Promise<Learning> {
  const [count, course, downloads, questions] = await Promise.all([
    latestCount(ctx),
    listCourse(ctx.db),
    listDownloadCounts(ctx.db),
    countQuestionsByLesson(ctx.db),
  ]);
  const nothing = { started: 0, completed: 0, watchSeconds: 0, stoppedHere: 0, lastCompleted: 0 };
  const downloadsOf = (moduleId: string, lessonId?: string) =>
    downloads
      .filter((row) => row.moduleId === moduleId && (lessonId === undefined || row.lessonId === lessonId))
      .reduce((sum, row) => sum + row.downloads, 0);
  return {
    asOf: count.asOf,
    students: count.students,
    modules: [...Map.groupBy(course, ({ module }) => module.id).values()].flatMap((rows) => {
      const module = rows[0]?.module;
      if (!module) return [];
      const lessons = rows.flatMap(({ lesson }) => (lesson ? [lesson] : []));
      const counted = lessons.map((lesson) => ({
        ...(count.lessons.find(({ id }) => id === lesson.id) ?? nothing),
        lessonId: lesson.id,
        title: lesson.title,
        comingSoon: isComingSoon(lesson, module, ctx.clock.now()),
        duration: lesson.durationSeconds,
        downloads: downloadsOf(module.id, lesson.id),
        questions: questions.find(({ lessonId }) => lessonId === lesson.id)?.questions ?? 0,
      }));
      return [
        {
          ...(count.modules.find(({ id }) => id === module.id) ?? { started: 0, completed: 0 }),
          moduleId: module.id,
          position: module.position,
          title: module.title,
          requiredTier: module.requiredTier,
          watchSeconds: counted.reduce((sum, { watchSeconds }) => sum + watchSeconds, 0),
          downloads: downloadsOf(module.id),
          lessons: counted,
        },
      ];
    }),
  };
}

/** Counts by a job, which schedules its next run. */
export async function recountLearning(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  if (await hasMoreProgressThan(ctx.db, countedAtOnce)) {
    await recordOperationalMark(ctx.db, name, await countLearning(ctx.db, now), now);
  }
  await scheduleLearningCount(ctx.db, now);
}

export const recountLearningJob = defineJob("recount-learning", z.object({}));

/** Schedules the count, once for all nodes. */
export async function scheduleLearningCount(db: Db, now: Date): Promise<void> {
  const runAt = after(now, every);
  const slot = Math.floor(runAt.getTime() / every);
  await scheduleJob(db, recountLearningJob, { data: {}, key: `${slot}`, runAt, now });
}

async function latestCount(ctx: Context): Promise<LearningCount> {
  if (await hasMoreProgressThan(ctx.db, countedAtOnce)) {
    const mark = await findOperationalMark(ctx.db, name);
    if (mark) return mark.value as LearningCount;
  }
  return countLearning(ctx.db, ctx.clock.now());
}
