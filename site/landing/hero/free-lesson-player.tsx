import { useRef } from "react";
import { customEvent } from "#app/analytics/analytics.ts";
import { LessonPlayer } from "#app/learning/lesson/lesson-player.tsx";
import type { FreeLesson } from "../free-lessons.ts";

/** Plays a free lesson like the course does, from any host. Saves no progress. */
export default function FreeLessonPlayer({ lesson }: { lesson: FreeLesson }) {
  const isAnnounced = useRef(false);

  function announceStart(): void {
    if (isAnnounced.current) return;
    isAnnounced.current = true;
    customEvent("FreeLessonStarted", { lessonId: lesson.id });
  }

  return (
    <LessonPlayer
      lesson={lesson}
      record={undefined}
      startAt={null}
      startsPlaying
      onNote={() => {}}
      onPlay={announceStart}
    />
  );
}
