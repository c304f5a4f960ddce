import { cx } from "class-variance-authority";
import type { ReactNode } from "react";
import type { Lesson } from "#contract/catalogue.ts";
import { Icon } from "#ui/icon.tsx";

interface PlayCoverProps {
  title: string;
  className: string;
  onPlay: () => void;
  /** The image that fills the frame. */
  children: ReactNode;
}

/** An image as a button that plays the video. */
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
  /** Whether the image is the page's largest element. If so, it loads with the page. */
  isLargest?: boolean;
  className: string;
  onPlay: () => void;
}

/** The lesson's image as a button that plays it. The player is large, so it loads only when the button is pressed. */
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
      {/* Only in server-rendered HTML, because browsers with scripts ignore it. */}
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

/**
 * Sets the image's source. In server-rendered pages a script does so after the first paint, which images would delay.
 */
function show(picture: HTMLImageElement | null): void {
  if (picture?.dataset.src) picture.src = picture.dataset.src;
}
