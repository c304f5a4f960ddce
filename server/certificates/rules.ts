import type { CertificateFacts, OwnCertificate } from "#contract/certificates.ts";

/** A lesson that a certificate requires, with what the student did. */
export interface RequiredLesson {
  readonly lessonId: string;
  readonly title: string;
  readonly modulePosition: number;
  readonly moduleTitle: string;
  readonly isWatched: boolean;
  readonly secondsWatched: number;
  /** Without shown answers. Null: the lesson has no check. */
  readonly hasPassed: boolean | null;
}

export function missingOf(lessons: readonly RequiredLesson[]): OwnCertificate["missing"] {
  return lessons.flatMap(({ lessonId, isWatched, hasPassed }) => [
    ...(isWatched ? [] : [{ lessonId, what: "watch" as const }]),
    ...(hasPassed === false ? [{ lessonId, what: "check" as const }] : []),
  ]);
}

const mostNamed = 5;

/** "Watch “Title”, and pass the check of “Title”." */
export function missingInWords(lessons: readonly RequiredLesson[]): string {
  const titles = new Map(lessons.map(({ lessonId, title }) => [lessonId, title]));
  const steps = missingOf(lessons).map(
    ({ lessonId, what }) => `${what === "watch" ? "watch" : "pass the check of"} “${titles.get(lessonId)}”`,
  );
  const named = steps.length > mostNamed ? [...steps.slice(0, mostNamed), `${steps.length - mostNamed} more`] : steps;
  return `Still missing: ${new Intl.ListFormat("en-US").format(named)}.`;
}

export function factsOf(
  lessons: readonly RequiredLesson[],
  of: Pick<CertificateFacts, "academyName" | "timeZone" | "catalogueVersion">,
): CertificateFacts {
  const byModule = Map.groupBy(lessons, ({ modulePosition }) => modulePosition);
  return {
    ...of,
    modules: [...byModule].map(([position, [...ofModule]]) => ({
      position,
      title: ofModule[0]?.moduleTitle ?? "",
      lessons: ofModule.length,
    })),
    lessons: lessons.length,
    checks: lessons.filter(({ hasPassed }) => hasPassed !== null).length,
    secondsWatched: Math.round(lessons.reduce((sum, { secondsWatched }) => sum + secondsWatched, 0)),
  };
}
