import { Suspense } from "react";
import { LessonCover } from "#app/learning/lesson/lesson-cover.tsx";
import { late } from "#ui/feedback/late.tsx";
import { Skeleton } from "#ui/feedback/skeleton.tsx";
import type { FreeLesson } from "../free-lessons.ts";

const [FreeLessonPlayer] = late("the player", () => import("./free-lesson-player.tsx"));

interface FreeLessonCardProps {
  lesson: FreeLesson;
  isChosen: boolean;
  onChoose: () => void;
}

/** A free lesson. Its image is a button. The player is large, so it loads only when the button is pressed. */
export function FreeLessonCard({ lesson, isChosen, onChoose }: FreeLessonCardProps) {
  const frame = "aspect-video w-full overflow-hidden rounded-t-md border-2 border-edge bg-rail";
  return (
    <article className="flex flex-col">
      {isChosen ? (
        <div className={frame}>
          <Suspense fallback={<Skeleton className="size-full" />}>
            <FreeLessonPlayer lesson={lesson} />
          </Suspense>
        </div>
      ) : (
        <LessonCover lesson={lesson} className={frame} onPlay={onChoose} />
      )}
      <div className="price-edge">
        <h3 className="font-bold leading-tight">{lesson.title}</h3>
        <p className="narrow shrink-0 text-3xl leading-none">Free</p>
      </div>
    </article>
  );
}
