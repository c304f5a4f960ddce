import type { ProgressNote } from "../progress/notes.ts";
import { type Watched, withStretch } from "../progress/watched.ts";

/** Milliseconds between two notes while a lesson plays. */
const noteEvery = 10_000;
/** The highest speed of our player; what moves on faster was skipped, not watched. */
const highestSpeed = 2;
/** Seconds that a player may be ahead of its clock, since events come late and in bursts. */
const tolerance = 0.5;

/** What the recorder reads from a player: any `<video>`, and the elements of other services that are like one. */
export interface PlayerState {
  readonly currentTime: number;
  readonly paused: boolean;
  readonly seeking: boolean;
}

export interface WatchRecorder {
  /**
   * The player said something: that it plays, moved on, pauses, seeks, has ended. Call it for each of these events, with
   * the player itself: it is read again when the recorder is stopped.
   */
  saw: (player: PlayerState) => void;
  /** Playing was interrupted: notes what is new. */
  stop: () => void;
}

interface WatchRecorderOptions {
  note: (note: ProgressNote) => void;
  /** Milliseconds that pass evenly, and milliseconds of the calendar. */
  clock: { passed: () => number; date: () => number };
}

/**
 * Turns the playing of one lesson into notes. Each says everything that was played since the lesson was opened, so that
 * a note that is lost takes nothing with it. The first is made as soon as the lesson plays: from then on the server's
 * clock counts for it.
 */
export function createWatchRecorder({ note, clock }: WatchRecorderOptions): WatchRecorder {
  let seen: PlayerState | undefined;
  let watched: Watched = [];
  let position: number | undefined;
  let wasPlaying = false;
  let hasBegun = false;
  let seenAt = clock.passed();
  let notedAt = seenAt;
  let isNoted = true;

  function noteNow(): void {
    if (position === undefined) return;
    notedAt = clock.passed();
    isNoted = true;
    note({ watched: watched.map(rounded), position: round(position), at: clock.date() });
  }

  function saw(player: PlayerState): void {
    const { currentTime, paused, seeking } = player;
    if (!Number.isFinite(currentTime)) return;
    seen = player;
    const now = clock.passed();
    const moved = currentTime - (position ?? currentTime);
    const mayHaveMoved = ((now - seenAt) / 1000) * highestSpeed + tolerance;
    if (wasPlaying && !seeking && position !== undefined && moved > 0 && moved <= mayHaveMoved) {
      watched = withStretch(watched, { from: position, to: currentTime });
    }
    if (hasBegun && moved !== 0) isNoted = false;
    position = currentTime;
    seenAt = now;
    wasPlaying = !paused && !seeking;
    if (wasPlaying && !hasBegun) {
      hasBegun = true;
      noteNow();
    } else if (!isNoted && now - notedAt >= noteEvery) noteNow();
  }

  return {
    saw,
    stop() {
      // It has moved on since its last event.
      if (seen && !seen.paused) saw(seen);
      if (!isNoted) noteNow();
    },
  };
}

function rounded({ from, to }: { from: number; to: number }) {
  return { from: round(from), to: round(to) };
}

/** Hundredths of a second are enough. */
function round(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
