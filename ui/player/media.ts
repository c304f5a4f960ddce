import { useEffect, useState } from "react";

/** Any playing element: the part of HTMLMediaElement that the academy needs. */
export interface Media extends EventTarget {
  /** Seconds. */
  currentTime: number;
  playbackRate: number;
  readonly paused: boolean;
  readonly seeking: boolean;
  /** 0 until the length is known, as in HTMLMediaElement. */
  readonly readyState: number;
  /** Set after a failure, as in HTMLMediaElement. A frame only has the event. */
  readonly error?: unknown;
  play(): Promise<void> | undefined;
  pause(): void;
}

type Handler = (media: Media) => void;

export interface MediaHandlers {
  /** The length is known, because the host has answered. */
  onReady?: Handler;
  onPlay?: Handler;
  onPause?: Handler;
  onTimeUpdate?: Handler;
  onSeeking?: Handler;
  onSeeked?: Handler;
  onEnded?: Handler;
  onError?: Handler;
}

/** Where an interrupted video resumes. */
export interface PlaybackPosition {
  /** Seconds. */
  at: number;
  isPlaying: boolean;
}

/**
 * Adds the handlers to the media, and seeks to the position once the length is known. Listens to the element itself,
 * because React does not know the events of the services' custom elements.
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
      // Browsers may block autoplay. The play button remains.
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
    // Handles events from before these listeners.
    if (media.readyState > 0) start();
    if (media.error) current.handlers.onError?.(media);
    return () => listening.abort();
  }, [media, begin, current]);
}
