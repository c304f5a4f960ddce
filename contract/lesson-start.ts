import type { Lesson, Module } from "./catalogue.ts";
import type { LessonProgress } from "./progress.ts";

/** The part of a progress record that the numbers need. Times in seconds. */
export type LessonRecord = Pick<LessonProgress, "isCompleted" | "watchTime" | "position" | "updatedAt" | "isChanged">;

/** By lesson id. Lessons that were never begun are absent. */
export type Records = ReadonlyMap<string, LessonRecord>;

/** Lessons that count: unlocked for this student, and with a video. */
export function countedLessons(modules: readonly Module[]): Lesson[] {
  return modules.flatMap((module) => module.lessons).filter((lesson) => lesson.isUnlocked && !lesson.comingSoon);
}

/** The lesson watched last, else the first one that can be watched. Null when there is none. */
export function lessonToContinue(modules: readonly Module[], records: Records): Lesson | null {
  const lessons = countedLessons(modules);
  const begun = lessons.filter((lesson) => records.has(lesson.id));
  const when = (lesson: Lesson) => Date.parse(records.get(lesson.id)?.updatedAt ?? "");
  return begun.toSorted((a, b) => when(b) - when(a))[0] ?? lessons[0] ?? null;
}

/** The second at which playback begins: the last position, or 0 for a completed lesson or one at its end. */
export function resumeAt(record: LessonRecord | undefined, duration: number): number {
  if (!record || record.isCompleted || record.position >= duration - 1) return 0;
  return record.position;
}

/** The second in the query of a page's URL. Null without one. */
export function secondIn(at: unknown): number | null {
  return typeof at === "string" && /^\d{1,6}$/.test(at) ? Number(at) : null;
}

/** What a lesson's cover says: "Play", or "Resume at 0:20". */
export function playLabel(second: number): string {
  return second > 0 ? `Resume at ${formatSecond(second)}` : "Play";
}

/** A position in a video: 9.8 → "0:09", 3725 → "1:02:05". */
export function formatSecond(seconds: number): string {
  const whole = Math.floor(seconds);
  const two = (part: number) => String(part).padStart(2, "0");
  const minutes = Math.floor(whole / 60);
  const rest = two(whole % 60);
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
}

/** The seconds that a person writes as 4:05, 1:02:05 or 245; 0 for nothing, NaN for anything else. */
export function secondsOf(typed: string): number {
  const parts = typed.trim().split(":");
  if (typed.trim() === "") return 0;
  if (parts.length > 3 || parts.some((part) => !/^\d{1,5}$/.test(part))) return Number.NaN;
  if (parts.slice(1).some((part) => part.length !== 2 || Number(part) > 59)) return Number.NaN;
  return parts.reduce((sum, part) => sum * 60 + Number(part), 0);
}
