import { cx } from "class-variance-authority";
import type { ReactNode } from "react";
import type { Lesson } from "#contract/catalogue.ts";
import { Icon } from "#ui/icon.tsx";

interface PlayCoverProps {
  title: string;
  className: string;
  onPlay: () => void;
  /** The picture, which fills the frame. */
  children: ReactNode;
}

/** A picture as the button that plays what it shows. */
export function PlayCover({ title, className, onPlay, children }: PlayCoverProps) {
  return (
    <button
      type="button"
      aria-label={`Play: ${title}`}
      onClick={onPlay}
      className={cx("group relative bg-rail", className)}
    >
      {children}
      <Icon
        name="play"
        className="absolute right-4 bottom-4 w-1/6 max-w-20 rounded-full bg-tag fill-tag-ink stroke-none transition-transform group-hover:scale-110"
      />
    </button>
  );
}

interface LessonCoverProps {
  lesson: Pick<Lesson, "id" | "title" | "thumbnail">;
  /** The picture is the largest thing on the page, and is fetched with it. */
  isLargest?: boolean;
  className: string;
  onPlay: () => void;
}

/** The picture of a lesson as the button that plays it: the player, which is large, comes with the press. */
export function LessonCover({ lesson: { id, title, thumbnail }, isLargest, className, onPlay }: LessonCoverProps) {
  const address = `/api/lessons/${id}`;
  return (
    <>
      <PlayCover title={title} className={cx("noscript:hidden", className)} onPlay={onPlay}>
        {thumbnail && (
          <img
            {...(isLargest ? { src: thumbnail, fetchPriority: "high" } : { ref: show, "data-src": thumbnail })}
            alt=""
            className="size-full object-cover"
            suppressHydrationWarning
          />
        )}
      </PlayCover>
      {/* Browsers that run scripts read nothing in here, and need not be sent it. */}
      <noscript>
        {import.meta.env.SSR && (
          <video
            controls
            preload="none"
            poster={`${address}/poster`}
            aria-label={title}
            className={cx("bg-rail", className)}
          >
            <source src={`${address}/video`} type="video/mp4" />
            <track kind="captions" src={`${address}/captions`} srcLang="en" label="English" />
          </video>
        )}
      </noscript>
    </>
  );
}

/** In a page that came as HTML its script does so after the first paint, which pictures would keep waiting. */
function show(picture: HTMLImageElement | null): void {
  if (picture?.dataset.src) picture.src = picture.dataset.src;
}
