import { Suspense } from "react";
import { late } from "#ui/feedback/late.tsx";
import { PartLoading } from "#ui/feedback/part.tsx";
import { ReachedSection } from "../reached-section.tsx";
import type { LessonQuestionsProps } from "./lesson-questions.tsx";

const [LessonQuestions] = late("the questions", () => import("./lesson-questions.tsx"));

/** What students asked about the current lesson. Loads when the student reaches it. */
export function QuestionsOfLesson(props: LessonQuestionsProps) {
  return (
    <ReachedSection id="questions-title" title="Questions" fallback={loading}>
      <Suspense fallback={loading}>
        <LessonQuestions key={props.lessonId} {...props} />
      </Suspense>
    </ReachedSection>
  );
}

const loading = <PartLoading what="the questions" className="h-48" />;
