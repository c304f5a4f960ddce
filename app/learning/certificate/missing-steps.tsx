import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "react-router";
import { api } from "#app/api/api.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import type { Module } from "#contract/catalogue.ts";
import type { OwnCertificate } from "#contract/certificates.ts";
import { retakeCheck } from "#contract/checks.ts";
import { planName } from "#ui/academy.ts";
import { Button } from "#ui/controls/button.tsx";
import { checkQuery, usePassedChecks } from "../checks/check-queries.ts";
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
  const lessonIds = [...new Set(missing.map(({ lessonId }) => lessonId))];
  return (
    <>
      <p className="max-w-[62ch] text-ink-soft">
        You get a certificate when you’ve watched these lessons and passed their checks. A lesson counts once you’ve
        watched nine tenths of it. Marking it as completed isn’t enough.
      </p>
      <ul className="border-line border-t">
        {lessonIds.map((lessonId) => {
          const steps = missing.filter((step) => step.lessonId === lessonId);
          const found = findLesson(modules, lessonId);
          if (!found) return null;
          const { lesson, module } = found;
          const isShown = checks.get(lessonId) && steps.some(({ what }) => what === "check");
          const words = steps.map(({ what }) => {
            if (what === "watch") return lesson.kind === "text" ? "Read it" : "Watch it";
            return checks.get(lessonId) ? "You saw an answer of its check" : "Pass its check";
          });
          return (
            <li
              key={lessonId}
              className="grid gap-x-6 gap-y-1 border-line border-b py-3 sm:flex sm:items-baseline sm:justify-between"
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
              <span className="text-ink-soft text-sm sm:text-right">
                {words.join(". ")}
                {!lesson.isUnlocked && `. Opens with ${planName(module.requiredTier)}`}
                {isShown && lesson.isUnlocked && <Retake lessonId={lessonId} title={lesson.title} />}
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** Asks what was shown once more, and leads there. */
function Retake({ lessonId, title }: { lessonId: string; title: string }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const retake = useMutation({
    mutationFn: () => api(retakeCheck, { params: { lessonId }, body: {} }),
    onSuccess(check) {
      queryClient.setQueryData(checkQuery(lessonId).queryKey, check);
      navigate(lessonQuery(lessonId));
    },
    onError: (error) => toastFailure("The check didn’t start again", error, "Try again in a moment."),
  });
  return (
    <Button variant="quiet" size="small" pending={retake.isPending} onClick={() => retake.mutate()}>
      Take it again<span className="sr-only">: the check of {title}</span>
    </Button>
  );
}
