import { useEffect, useRef, useState } from "react";
import type { Media } from "#ui/player/media.ts";
import type { ProgressNote } from "../progress/notes.ts";
import { createWatchRecorder } from "./watch-recorder.ts";

/** Returns a player's event handlers, which record one lesson. Leaving the lesson also notes what is new. */
export function useWatching(onNote: (note: ProgressNote, isDue: boolean) => void) {
  const save = useRef(onNote);
  useEffect(() => {
    save.current = onNote;
  });
  const [recorder] = useState(() =>
    createWatchRecorder({
      note: (note, isDue) => save.current(note, isDue),
      clock: { passed: () => performance.now(), date: () => Date.now() },
      chance: Math.random,
    }),
  );

  useEffect(() => {
    // Captures, to run before the page's own listeners, which send all notes so far.
    const hidden = () => document.visibilityState === "hidden" && recorder.stop();
    window.addEventListener("pagehide", recorder.stop, { capture: true });
    document.addEventListener("visibilitychange", hidden, { capture: true });
    return () => {
      window.removeEventListener("pagehide", recorder.stop, { capture: true });
      document.removeEventListener("visibilitychange", hidden, { capture: true });
      recorder.stop();
    };
  }, [recorder]);

  const see = (media: Media) => recorder.saw(media);
  const stop = (media: Media) => {
    recorder.saw(media);
    recorder.stop();
  };
  return { onPlay: see, onTimeUpdate: see, onPause: stop, onSeeking: see, onSeeked: stop, onEnded: stop };
}
