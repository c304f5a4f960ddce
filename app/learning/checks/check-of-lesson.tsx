import { Suspense, useEffect, useRef, useState } from "react";
import { late } from "#ui/feedback/late.tsx";
import { PartLoading } from "#ui/feedback/part.tsx";

const [LessonCheck] = late("the check", () => import("./lesson-check.tsx"));

interface CheckOfLessonProps {
  lessonId: string;
  /** Plays the lesson from this second. */
  onWatch: (at: number) => void;
}

/** The questions about the current lesson, which load when the student comes near them. */
export default function CheckOfLesson({ lessonId, onWatch }: CheckOfLessonProps) {
  const place = useRef<HTMLElement>(null);
  const [isReached, setIsReached] = useState(false);
  useEffect(() => {
    if (!place.current) return;
    const near = new IntersectionObserver(([entry]) => entry?.isIntersecting && setIsReached(true), {
      rootMargin: "200px",
    });
    near.observe(place.current);
    return () => near.disconnect();
  }, []);
  return (
    <section ref={place} aria-labelledby="check-title" className="grid gap-4 border-line border-t pt-5">
      <h3 id="check-title" className="wide text-heading">
        Check your understanding
      </h3>
      {isReached ? (
        <Suspense fallback={loading}>
          <LessonCheck key={lessonId} lessonId={lessonId} onWatch={onWatch} />
        </Suspense>
      ) : (
        loading
      )}
    </section>
  );
}

const loading = <PartLoading what="the check" className="h-72" />;
