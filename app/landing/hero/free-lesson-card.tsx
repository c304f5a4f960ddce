import { lazy, Suspense } from "react";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import type { FreeLesson } from "./free-lessons.ts";

const FreeLessonPlayer = lazy(() => import("./free-lesson-player.tsx"));

interface FreeLessonCardProps {
  lesson: FreeLesson;
  isChosen: boolean;
  onChoose: () => void;
}

/** A lesson on the shelf. Its picture is a button; the player, which is large, comes with the press. */
export function FreeLessonCard({ lesson, isChosen, onChoose }: FreeLessonCardProps) {
  const { id, title, thumbnail } = lesson;
  const address = `/api/lessons/${id}`;
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
        <button
          type="button"
          aria-label={`Play: ${title}`}
          onClick={onChoose}
          className={`group relative noscript:hidden ${frame}`}
        >
          {thumbnail && <img src={thumbnail} alt="" className="size-full object-cover" />}
          <svg
            aria-hidden="true"
            viewBox="0 0 24 24"
            className="absolute right-4 bottom-4 w-1/6 rounded-full bg-tag fill-tag-ink transition-transform group-hover:scale-110"
          >
            <path d="m9 7 9 5-9 5z" />
          </svg>
        </button>
      )}
      {/* Browsers that run scripts read nothing in here, and need not be sent it. */}
      <noscript>
        {import.meta.env.SSR && (
          <video controls preload="none" poster={`${address}/poster`} aria-label={title} className={frame}>
            <source src={`${address}/video`} type="video/mp4" />
            <track kind="captions" src={`${address}/captions`} srcLang="en" label="English" />
          </video>
        )}
      </noscript>
      <div className="shelf-edge">
        <h3 className="font-bold leading-tight">{title}</h3>
        <p className="narrow shrink-0 text-3xl leading-none" title="Free of charge">
          $0.00
        </p>
      </div>
    </article>
  );
}
