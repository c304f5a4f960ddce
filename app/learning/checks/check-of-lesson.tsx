import { Suspense } from "react";
import { late } from "#ui/feedback/late.tsx";
import { PartLoading } from "#ui/feedback/part.tsx";
import { ReachedSection } from "../reached-section.tsx";

const [LessonCheck] = late("the check", () => import("./lesson-check.tsx"));

interface CheckOfLessonProps {
  lessonId: string;
  /** Plays the lesson from this second. */
  onWatch: (at: number) => void;
}

/** The questions about the current lesson, which load when the student reaches them. */
export function CheckOfLesson({ lessonId, onWatch }: CheckOfLessonProps) {
  return (
    <ReachedSection id="check-title" title="Check your understanding" fallback={loading}>
      <Suspense fallback={loading}>
        <LessonCheck key={lessonId} lessonId={lessonId} onWatch={onWatch} />
      </Suspense>
    </ReachedSection>
  );
}

const loading = <PartLoading what="the check" className="h-72" />;
