import { Suspense } from "react";
import { late } from "#ui/feedback/late.tsx";
import { PartLoading } from "#ui/feedback/part.tsx";
import { ReachedSection } from "../reached-section.tsx";
import type { LessonCheckProps } from "./lesson-check.tsx";

const [LessonCheck] = late("the check", () => import("./lesson-check.tsx"));

/** The questions about the current lesson, which load when the student reaches them. */
export function CheckOfLesson(props: LessonCheckProps) {
  return (
    <ReachedSection id="check-title" title="Check your understanding" fallback={loading}>
      <Suspense fallback={loading}>
        <LessonCheck key={props.lessonId} {...props} />
      </Suspense>
    </ReachedSection>
  );
}

const loading = <PartLoading what="the check" className="h-72" />;
