import type { ProgressNote } from "../progress/notes.ts";
import { type Watched, withStretch } from "../progress/watched.ts";

/** Milliseconds between notes of a playing lesson. A browser crash loses at most this much. */
const noteMilliseconds = 10_000;
/** Milliseconds between notes that are sent during uninterrupted playing, plus a random part of up to a third. */
const sendMilliseconds = 30_000;
/** Our player's maximum speed. Faster progress counts as seeking. */
const maxSpeed = 2;
/** The seconds that a player may be ahead of the clock, since events arrive late and in bursts. */
const toleranceSeconds = 0.5;

/** What the recorder reads of a player: a `<video>`, or an external service's element with the same interface. */
export interface PlayerState {
  readonly currentTime: number;
  readonly paused: boolean;
  readonly seeking: boolean;
}

export interface WatchRecorder {
  /**
   * Handles an event of the player: play, timeupdate, pause, seek or end. Keeps the player, and reads it again in
   * `stop`.
   */
  saw: (player: PlayerState) => void;
  /** Playback was interrupted: notes what is new. */
  stop: () => void;
}

interface WatchRecorderOptions {
  /** `isDue`: the note must be sent now. Otherwise storing it in the browser is enough. */
  note: (note: ProgressNote, isDue: boolean) => void;
  /** Monotonic milliseconds, and milliseconds since the epoch. */
  clock: { passed: () => number; date: () => number };
  /** A random number from 0 to 1, so that students who start together do not send together. */
  chance: () => number;
}

/**
 * Turns the playback of a lesson into notes. Each note contains everything played since the lesson was opened, so that
 * a lost note does no harm. The first is made when playback begins, because the server's clock counts from then.
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
    if (isSent) nextDueAt = notedAt + sendMilliseconds * (1 + chance() / 3);
    note({ watched: watched.map(rounded), position: round(position), at: clock.date() }, isSent);
  }

  function saw(player: PlayerState): void {
    const { currentTime, paused, seeking } = player;
    if (!Number.isFinite(currentTime)) return;
    seen = player;
    const now = clock.passed();
    const moved = currentTime - (position ?? currentTime);
    const mayHaveMoved = ((now - seenAt) / 1000) * maxSpeed + toleranceSeconds;
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
    } else if (!isNoted && (now - notedAt >= noteMilliseconds || now >= nextDueAt)) noteNow(false);
  }

  return {
    saw,
    stop() {
      // The position has changed since the last event.
      if (seen && !seen.paused) saw(seen);
      if (!isNoted || !isSent) noteNow(true);
    },
  };
}

function rounded({ from, to }: { from: number; to: number }) {
  return { from: round(from), to: round(to) };
}

/** Rounds to hundredths of a second. */
function round(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
