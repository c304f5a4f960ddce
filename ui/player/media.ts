import { useEffect, useState } from "react";

/** What plays, whatever element it is: the part of HTMLMediaElement that the academy needs. */
export interface Media extends EventTarget {
  /** Seconds. */
  currentTime: number;
  playbackRate: number;
  readonly paused: boolean;
  readonly seeking: boolean;
  /** 0 until its length is known, as in HTMLMediaElement. */
  readonly readyState: number;
  /** Set once it failed, as in HTMLMediaElement; a frame only tells by its event. */
  readonly error?: unknown;
  play(): Promise<void> | undefined;
}

type Handler = (media: Media) => void;

export interface MediaHandlers {
  /** Its length is known: its service has answered. */
  onReady?: Handler;
  onPlay?: Handler;
  onPause?: Handler;
  onTimeUpdate?: Handler;
  onSeeking?: Handler;
  onSeeked?: Handler;
  onEnded?: Handler;
  onError?: Handler;
}

/** Where a video goes on that was interrupted. */
export interface PlaybackPosition {
  /** Seconds. */
  at: number;
  isPlaying: boolean;
}

/**
 * Ties handlers to the media and puts it at its position once its length is known. Listeners of the element itself, since
 * the elements of the video services are no elements that React knows.
 */
export function useMediaEvents(media: Media | null, position: PlaybackPosition, handlers: MediaHandlers): void {
  const [begin] = useState(position);
  const [current] = useState({ handlers });
  useEffect(() => {
    current.handlers = handlers;
  });
  useEffect(() => {
    if (!media) return;
    const listening = new AbortController();
    const on = (event: string, handle: () => void) =>
      media.addEventListener(event, handle, { signal: listening.signal });
    let hasBegun = false;
    const start = () => {
      if (hasBegun) return;
      hasBegun = true;
      current.handlers.onReady?.(media);
      if (begin.at > 0) media.currentTime = begin.at;
      // A browser may refuse to go on by itself; the button is there.
      if (begin.isPlaying) media.play()?.catch(() => undefined);
    };
    on("loadedmetadata", start);
    on("play", () => current.handlers.onPlay?.(media));
    on("pause", () => current.handlers.onPause?.(media));
    on("timeupdate", () => current.handlers.onTimeUpdate?.(media));
    on("seeking", () => current.handlers.onSeeking?.(media));
    on("seeked", () => current.handlers.onSeeked?.(media));
    on("ended", () => current.handlers.onEnded?.(media));
    on("error", () => current.handlers.onError?.(media));
    // What came before anybody listened.
    if (media.readyState > 0) start();
    if (media.error) current.handlers.onError?.(media);
    return () => listening.abort();
  }, [media, begin, current]);
}
