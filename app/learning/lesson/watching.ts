import { useEffect, useRef, useState } from "react";
import type { Media } from "#ui/player/media.ts";
import type { ProgressNote } from "../progress/notes.ts";
import { createWatchRecorder } from "./watch-recorder.ts";

/** What a player's handlers tell to the recorder of one lesson, which notes what is new when the lesson is left, too. */
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
    // Before the page's own listeners, which send what was noted by then.
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
