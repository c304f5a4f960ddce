import { useEffect, useRef } from "react";
import { customEvent } from "../../analytics/analytics.ts";
import { LessonPlayer } from "../../learning/lesson/lesson-player.tsx";
import type { FreeLesson } from "./free-lessons.ts";

/** Plays a free lesson as the course does, from wherever its video comes. Nothing of it is saved. */
export default function FreeLessonPlayer({ lesson }: { lesson: FreeLesson }) {
  const frame = useRef<HTMLDivElement>(null);
  const isAnnounced = useRef(false);
  // The button that was pressed is gone.
  useEffect(() => frame.current?.focus(), []);

  function announceStart(): void {
    if (isAnnounced.current) return;
    isAnnounced.current = true;
    customEvent("FreeLessonStarted", { lessonId: lesson.id });
  }

  return (
    <div ref={frame} tabIndex={-1}>
      <LessonPlayer
        lesson={lesson}
        record={undefined}
        startAt={null}
        startsPlaying
        onNote={() => {}}
        onPlay={announceStart}
      />
    </div>
  );
}
