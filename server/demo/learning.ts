import { type Tier, tierOpens } from "#contract/tiers.ts";
import { after, DAY, HOUR, MINUTE, SECOND } from "#server/base/clock.ts";
import { enoughOf } from "#server/progress/rules.ts";
import type { History } from "./rows.ts";
import type { Student } from "./student.ts";

export interface LessonOfCourse {
  readonly id: string;
  readonly moduleId: string;
  readonly durationSeconds: number;
  readonly freePreview: boolean;
}

export interface ResourceOfCourse {
  readonly id: string;
  readonly requiredTier: Tier;
}

type ProgressRow = History["progress"][number];
type DownloadRow = History["downloads"][number];

/** The share of those who completed a lesson that continues with the next; most stop within the first two modules. */
const goOn = [0.93, 0.87, 0.84, 0.88, 0.79, 0.85, 0.86, 0.9, 0.8, 0.9, 0.93];
const patience: Readonly<Record<Tier, number>> = { basic: 1, premium: 0.55, vip: 0.4 };

export function watch(student: Student, course: readonly LessonOfCourse[], now: Date): ProgressRow[] {
  const { random } = student;
  const opened = student.grants[0];
  if (!opened) {
    const previews = random.happens(0.35) ? course.filter(({ freePreview }) => freePreview) : [];
    const at = after(student.user.createdAt, random.between(1, 20) * MINUTE);
    return previews
      .slice(0, random.whole(1, 2))
      .map((lesson, index) => watchOne(student, lesson, after(at, index * MINUTE), random.happens(0.6)));
  }
  if (!random.happens(0.9)) return [];
  const rows: ProgressRow[] = [];
  let at = after(opened.startsAt, random.between(1, 30) * MINUTE);
  for (const [index, lesson] of course.entries()) {
    const tier = student.accessAt(at).tier;
    if (tier === null || at >= after(now, -HOUR)) break;
    const leavesHere = !random.happens((goOn[index] ?? 1) ** patience[tier]);
    // Half of those who stop do so within the lesson.
    const row = watchOne(student, lesson, at, !(leavesHere && random.happens(0.5)));
    rows.push(row);
    if (leavesHere) break;
    at = after(row.updatedAt, random.happens(0.35) ? random.between(1, 15) * MINUTE : random.between(0.6, 9) * DAY);
  }
  return rows;
}

function watchOne(student: Student, lesson: LessonOfCourse, from: Date, isFinished: boolean): ProgressRow {
  const { random } = student;
  const length = lesson.durationSeconds * 100;
  const isMarked = isFinished && random.happens(0.06);
  const share = isFinished && !isMarked ? random.between(0.92, 1) : random.between(0.08, 0.8);
  const until = isFinished && !isMarked && random.happens(0.7) ? length : Math.round(length * share);
  const skipped = until === length && random.happens(0.3) ? Math.round(length * random.between(0.01, 0.08)) : 0;
  const skipsFrom = Math.round(length * 0.4);
  const watched = skipped > 0 ? `{[0,${skipsFrom}),[${skipsFrom + skipped},${until})}` : `{[0,${until})}`;
  const covered = until - skipped;
  const isCompleted = isMarked || covered >= enoughOf(lesson.durationSeconds);
  const endedAt = after(from, (covered / 100) * SECOND * random.between(1, 1.6));
  student.lastSeenAt = endedAt > student.lastSeenAt ? endedAt : student.lastSeenAt;
  return {
    id: student.newId(),
    userId: student.user.id,
    lessonId: lesson.id,
    moduleId: lesson.moduleId,
    isCompleted,
    watched,
    watchTime: covered / 100,
    earlierWatchTime: 0,
    creditSince: after(endedAt, -1.5 * SECOND),
    position: until / 100,
    positionAt: endedAt,
    completedAt: isCompleted ? endedAt : null,
    completedBy: isMarked ? "button" : isCompleted ? "coverage" : null,
    createdAt: from,
    updatedAt: endedAt,
    changesSeenAt: null,
  };
}

export function download(student: Student, resources: readonly ResourceOfCourse[], now: Date): DownloadRow[] {
  const { random } = student;
  const opened = student.grants[0];
  if (!opened) return [];
  return resources.flatMap((resource) => {
    const wanted = random.weighted({ 0: 38, 1: 47, 2: 15 });
    const times = Array.from({ length: Number(wanted) }, () => after(opened.startsAt, random.between(0.02, 45) * DAY));
    return times
      .filter((at) => at < after(now, -HOUR) && tierOpens(student.accessAt(at).tier, resource.requiredTier))
      .map((downloadedAt) => ({
        id: student.newId(),
        userId: student.user.id,
        resourceId: resource.id,
        downloadedAt,
      }));
  });
}
