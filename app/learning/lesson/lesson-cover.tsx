import { cx } from "class-variance-authority";
import type { ReactNode } from "react";
import type { Lesson } from "#contract/catalogue.ts";
import { Skeleton } from "#ui/feedback/skeleton.tsx";
import { Icon } from "#ui/icon.tsx";

export const videoFrame = "aspect-video w-full";

interface PlayCoverProps {
  title: string;
  /** Shown beside the icon. */
  label?: string;
  className: string;
  onPlay?: () => void;
  /** Called when a press is likely: on hover and focus. */
  onIntent?: (() => void) | undefined;
  /** The image that fills the frame. */
  children: ReactNode;
}

/** An image as a button that plays the video. */
export function PlayCover({ title, label, className, onPlay, onIntent, children }: PlayCoverProps) {
  return (
    <button
      type="button"
      data-cover=""
      aria-label={`${label ?? "Play"}: ${title}`}
      onClick={onPlay}
      onPointerEnter={onIntent}
      onFocus={onIntent}
      className={cx("group relative bg-rail", className)}
    >
      {children}
      <span className="absolute right-4 bottom-4 left-4 flex items-center justify-end gap-3">
        {label && (
          <span className="rounded-sm bg-tag px-3 py-1 font-bold text-[min(1rem,5.5vw)] text-tag-ink">{label}</span>
        )}
        <Icon
          name="play"
          className="w-1/6 min-w-[56px] max-w-[80px] shrink-0 forced-color-adjust-none rounded-full bg-tag fill-tag-ink stroke-none transition-transform group-hover:scale-110"
        />
      </span>
    </button>
  );
}

interface LessonCoverProps extends Omit<PlayCoverProps, "title" | "children"> {
  lesson: Pick<Lesson, "id" | "title" | "thumbnail">;
  /** Whether the image is the page's largest element. If so, it loads with the page. */
  isLargest?: boolean;
}

/** The lesson's image as a button that plays it. The player is large, so it loads only when the button is pressed. */
export function LessonCover({ lesson: { id, title, thumbnail }, isLargest, className, ...press }: LessonCoverProps) {
  const address = `/api/lessons/${id}`;
  return (
    <>
      <PlayCover title={title} className={cx("noscript:hidden", className)} {...press}>
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
            <track kind="captions" src={`${address}/captions`} label="Captions" />
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

/** The video's image, if it has one. The player shows the same one first. */
export function PlayerLoading({ picture }: { picture: string | null }) {
  return picture ? (
    <img src={picture} alt="" className={`${videoFrame} bg-rail object-contain`} />
  ) : (
    <Skeleton className={videoFrame} />
  );
}

/**
 * Whether this document may show external videos. A document keeps the content security policy of its first page, and
 * only pages with lessons allow external videos.
 */
export function allowsExternalVideos(): boolean {
  return import.meta.env.SSR || document.documentElement.hasAttribute("data-lessons");
}
