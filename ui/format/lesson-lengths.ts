import type { LessonKind } from "#contract/catalogue.ts";
import { formatSecond } from "#contract/lesson-start.ts";
import { formatCountOf } from "./numbers.ts";

interface LessonLength {
  /** In seconds. */
  readonly duration: number;
  readonly isSample: boolean;
  readonly kind?: LessonKind;
}

/** "0:41", "Sample, 0:41", or "3 min read" */
export function formatLength({ duration, isSample, kind }: LessonLength): string {
  if (kind === "text") return `${Math.round(duration / 60)} min read`;
  return `${isSample ? "Sample, " : ""}${formatSecond(duration)}`;
}

/** "5 lessons, 3:23 total", or "5 sample lessons, 3:23 total". Without the length while no lesson has a video. */
export function formatLessons(lessons: readonly LessonLength[]): string {
  const seconds = lessons.reduce((sum, { duration }) => sum + duration, 0);
  const areSamples = seconds > 0 && lessons.every(({ isSample }) => isSample);
  const count = formatCountOf(lessons.length, areSamples ? "sample lesson" : "lesson");
  return seconds > 0 ? `${count}, ${formatSecond(seconds)} total` : count;
}
