import type { ProgressNote } from "../progress/notes.ts";
import { type Watched, withStretch } from "../progress/watched.ts";

/** Milliseconds between two notes while a lesson plays: so much is lost with a browser that crashes. */
const noteEvery = 10_000;
/** Milliseconds between two notes that are sent while nothing but playing happens, with up to a third more by chance. */
const sendEvery = 30_000;
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
  /** `isDue`: to be sent now; otherwise it is enough that the browser keeps it. */
  note: (note: ProgressNote, isDue: boolean) => void;
  /** Milliseconds that pass evenly, and milliseconds of the calendar. */
  clock: { passed: () => number; date: () => number };
  /** From 0 to 1, so that those who begin together do not go on together. */
  chance: () => number;
}

/**
 * Turns the playing of one lesson into notes. Each says everything that was played since the lesson was opened, so that
 * a note that is lost takes nothing with it. The first is made as soon as the lesson plays: from then on the server's
 * clock counts for it.
 */
export function createWatchRecorder({ note, clock, chance }: WatchRecorderOptions): WatchRecorder {
  let seen: PlayerState | undefined;
  let watched: Watched = [];
  let position: number | undefined;
  let wasPlaying = false;
  let hasBegun = false;
  let seenAt = clock.passed();
  let notedAt = seenAt;
  let isNoted = true;
  let nextDueAt = seenAt;
  let isSent = true;

  function noteNow(hasHappened: boolean): void {
    if (position === undefined) return;
    notedAt = clock.passed();
    isNoted = true;
    isSent = hasHappened || notedAt >= nextDueAt;
    if (isSent) nextDueAt = notedAt + sendEvery * (1 + chance() / 3);
    note({ watched: watched.map(rounded), position: round(position), at: clock.date() }, isSent);
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
      noteNow(true);
    } else if (!isNoted && (now - notedAt >= noteEvery || now >= nextDueAt)) noteNow(false);
  }

  return {
    saw,
    stop() {
      // It has moved on since its last event.
      if (seen && !seen.paused) saw(seen);
      if (!isNoted || !isSent) noteNow(true);
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
