import { Link } from "react-router";
import type { Module } from "#contract/catalogue.ts";
import { countedLessons, type Records } from "#contract/lesson-start.ts";
import { findLesson, lessonQuery } from "../current-lesson.ts";
import { usePassedChecks } from "./check-queries.ts";

/** A link to the first lesson that is not completed, or whose check is not passed. Nothing when all is done. */
export function NextStep({ modules, records }: { modules: readonly Module[]; records: Records }) {
  const checks = usePassedChecks();
  const isOpen = (lessonId: string) => checks.get(lessonId) === false;
  const next = countedLessons(modules).find(({ id }) => !records.get(id)?.isCompleted || isOpen(id));
  const found = findLesson(modules, next?.id);
  if (!found) return null;
  const { lesson, module } = found;
  const number = `${module.position}-${module.lessons.indexOf(lesson) + 1}`;
  const words = records.get(lesson.id)?.isCompleted
    ? `The check of lesson ${number}`
    : `Lesson ${number}${isOpen(lesson.id) ? ", then its check" : ""}`;
  return (
    <p className="mt-4 text-sm">
      Next:{" "}
      <Link to={lessonQuery(lesson.id)} preventScrollReset className="font-bold underline">
        {words}
      </Link>
    </p>
  );
}
