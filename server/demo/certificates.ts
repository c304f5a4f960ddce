import { catalogue } from "#content/catalogue.ts";
import { checks } from "#content/checks.ts";
import { builtInSettings } from "#content/site.ts";
import { after, HOUR } from "#server/base/clock.ts";
import { factsOf } from "#server/certificates/rules.ts";
import { idFor } from "#server/db/id.ts";
import type { History } from "./rows.ts";
import type { Student } from "./student.ts";

const howMany = 12;

const required = catalogue
  .filter(({ position }) => position <= builtInSettings.certificateModules)
  .flatMap((module) =>
    module.lessons.filter(({ durationSeconds }) => durationSeconds > 0).map((lesson) => ({ module, lesson })),
  );

export interface Graduate {
  readonly student: Student;
  readonly finishedAt: Date;
  readonly secondsByLesson: ReadonlyMap<string, number>;
}

/** The first students who watched all that a certificate takes, and whose money was kept. */
export function listGraduates(
  students: readonly Student[],
  progress: History["progress"],
  now: Date,
): readonly Graduate[] {
  const records = Map.groupBy(progress, ({ userId }) => userId);
  const graduates = students.flatMap((student) => {
    const watched = (records.get(student.user.id) ?? []).filter(({ completedBy }) => completedBy === "coverage");
    const secondsByLesson = new Map(watched.map(({ lessonId, watchTime = 0 }) => [lessonId, watchTime]));
    const finishedAt = new Date(Math.max(...watched.map(({ updatedAt }) => updatedAt.getTime())));
    const isPaid = student.purchases.some(({ status }) => status === "completed");
    const isAll = required.every(({ lesson }) => secondsByLesson.has(lesson.id));
    return isPaid && isAll && finishedAt < after(now, -48 * HOUR) ? [{ student, finishedAt, secondsByLesson }] : [];
  });
  return graduates.toSorted((one, other) => one.finishedAt.getTime() - other.finishedAt.getTime()).slice(0, howMany);
}

/** Their certificates, issued within a day, with the emails. */
export function certify(graduates: readonly Graduate[]): History["certificates"] {
  return graduates.map(({ student, finishedAt, secondsByLesson }) => {
    const { id: userId, firstName, lastName } = student.user;
    const lessons = required.map(({ module, lesson }) => ({
      lessonId: lesson.id,
      title: lesson.title,
      modulePosition: module.position,
      moduleTitle: module.title,
      isWatched: true,
      secondsWatched: secondsByLesson.get(lesson.id) ?? 0,
      hasPassed: checks[lesson.id] ? true : null,
    }));
    const { name: academyName, timeZone } = builtInSettings;
    const code = idFor("certificate", userId).slice(0, 16).toUpperCase();
    const issuedAt = after(finishedAt, student.random.between(1, 20) * HOUR);
    student.write("certificate-issued", code, issuedAt, { planName: "" });
    return {
      userId,
      code,
      name: `${firstName} ${lastName}`,
      pastNames: [],
      facts: factsOf(lessons, { academyName, timeZone, catalogueVersion: 1 }),
      issuedAt,
      withdrawnAt: null,
      restoredAt: null,
      withdrawalToldAt: null,
    };
  });
}
