import type { ProgressNote } from "./progress-notes.ts";
import { isWatchedThrough, type LessonRecord } from "./progress-numbers.ts";
import { type Stretch, type Watched, watchedBefore, watchedSeconds, withStretch } from "./watched.ts";

/** Milliseconds between two saves while a lesson plays. */
const saveEvery = 10_000;

export interface WatchRecorder {
  /** The player moved on: everything it has played since it was opened, and where it stands, in seconds. */
  saw: (played: Iterable<Stretch>, position: number) => void;
  /** Playing was interrupted: saves what is new. */
  stop: () => void;
  /** The lesson played to its end. */
  end: () => void;
}

interface WatchRecorderOptions {
  /** Seconds. */
  duration: number;
  /** What was saved on earlier visits. */
  record: Pick<LessonRecord, "isCompleted" | "watchTime" | "position"> | undefined;
  save: (note: ProgressNote) => void;
  /** Milliseconds. */
  now: () => number;
}

/**
 * Turns the playing of one lesson into notes: how many seconds of it were really played, counted once each, and where
 * it stands. Marks it as completed by itself once nine tenths were watched, and again when it ends.
 */
export function createWatchRecorder({ duration, record, save, now }: WatchRecorderOptions): WatchRecorder {
  let watched: Watched = record ? watchedBefore(record) : [];
  let position = record?.position ?? 0;
  let savedPosition = position;
  let savedAt = now();
  // Whoever marked a watched lesson as not completed means it: only its end completes it again.
  let isCompleted = record?.isCompleted || isWatchedThrough(watchedSeconds(watched), duration);

  function saveNow(completion: { isCompleted?: true } = {}): void {
    const watchTime = Math.min(duration, round(watchedSeconds(watched)));
    savedPosition = position;
    savedAt = now();
    save({ watchTime, position: round(Math.min(duration, position)), ...completion });
  }

  return {
    saw(played, at) {
      for (const stretch of played) watched = withStretch(watched, stretch);
      position = at;
      if (!isCompleted && isWatchedThrough(watchedSeconds(watched), duration)) {
        isCompleted = true;
        saveNow({ isCompleted: true });
      } else if (now() - savedAt >= saveEvery) saveNow();
    },
    stop() {
      if (position !== savedPosition) saveNow();
    },
    end() {
      isCompleted = true;
      saveNow({ isCompleted: true });
    },
  };
}

/** Hundredths of a second are enough. */
function round(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
