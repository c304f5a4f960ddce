import { useState } from "react";
import type { FreeLesson } from "#site/landing/free-lessons.ts";
import { FreeLessonCard } from "#site/landing/hero/free-lesson-card.tsx";
import { Island } from "./island.tsx";

/** Free lessons that play in place. Starting one closes the other. */
export function FreeLessons({ lessons }: { lessons: readonly FreeLesson[] }) {
  const [chosenId, setChosenId] = useState("");
  return (
    <Island>
      <div className="grid gap-x-(--gutter) gap-y-8 sm:grid-cols-2">
        {lessons.map((lesson) => (
          <FreeLessonCard
            key={lesson.id}
            lesson={lesson}
            isChosen={lesson.id === chosenId}
            onChoose={() => setChosenId(lesson.id)}
          />
        ))}
      </div>
    </Island>
  );
}
