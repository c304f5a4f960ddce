import { Link } from "react-router";
import type { Module } from "#contract/catalogue.ts";
import type { OwnCertificate } from "#contract/certificates.ts";
import { tierLabels } from "#contract/tiers.ts";
import { usePassedChecks } from "../checks/check-queries.ts";
import { findLesson, lessonQuery } from "../current-lesson.ts";

interface MissingStepsProps {
  modules: readonly Module[];
  missing: OwnCertificate["missing"];
}

/** What is left to do for the certificate, each with the way there. */
export function MissingSteps({ modules, missing }: MissingStepsProps) {
  const checks = usePassedChecks();
  if (missing.length === 0) {
    return (
      <p className="text-ink-soft">There’s no certificate for your account right now. Contact us to learn more.</p>
    );
  }
  const whatOf = Map.groupBy(missing, ({ lessonId }) => lessonId);
  return (
    <>
      <p className="max-w-[62ch] text-ink-soft">
        You get a certificate when you’ve watched these lessons and passed their checks. A lesson counts once you’ve
        watched nine tenths of it. Marking it as completed isn’t enough.
      </p>
      <ul className="border-line border-t">
        {[...whatOf].map(([lessonId, steps]) => {
          const found = findLesson(modules, lessonId);
          if (!found) return null;
          const { lesson, module } = found;
          const words = steps.map(({ what }) => {
            if (what === "watch") return lesson.kind === "text" ? "Read it" : "Watch it";
            return checks.get(lessonId) ? "An answer of its check was shown" : "Pass its check";
          });
          return (
            <li
              key={lessonId}
              className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-line border-b py-3"
            >
              <span className="min-w-0 wrap-anywhere">
                <span className="printed text-ink-soft">
                  {module.position}-{module.lessons.indexOf(lesson) + 1}
                </span>{" "}
                {lesson.isUnlocked ? (
                  <Link to={lessonQuery(lessonId)} className="font-bold underline underline-offset-4">
                    {lesson.title}
                  </Link>
                ) : (
                  <span className="font-bold">{lesson.title}</span>
                )}
              </span>
              <span className="text-ink-soft text-sm">
                {words.join(". ")}
                {!lesson.isUnlocked && `. Opens with ${tierLabels[module.requiredTier]}`}
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
