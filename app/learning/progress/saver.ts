import type { KeptNotes } from "./kept-notes.ts";
import type { ProgressNote } from "./notes.ts";

export interface ProgressSaver {
  /** Keeps a note and, when it is due, sends it with everything that is not confirmed yet. */
  note: (lessonId: string, note: ProgressNote, isDue: boolean) => void;
  /** Sends now what waits, as when a page opens or the connection is back. */
  retry: () => void;
  /** The page is going away: sends what is not confirmed in a way that outlives it. */
  leave: () => void;
  /** Tries nothing again by itself until the next `retry`; what waits stays kept. */
  close: () => void;
}

export type LessonNote = readonly [lessonId: string, note: ProgressNote];

interface ProgressSaverOptions {
  kept: KeptNotes;
  /** The most notes that one request carries. */
  most: number;
  /** Sends notes; with `leaving` by a request that outlives the page. */
  send: (notes: readonly LessonNote[], options: { leaving: boolean }) => Promise<void>;
  /** Whether trying again later can help. */
  mayRetry: (error: unknown) => boolean;
  /** Calls back after so many milliseconds; returns what cancels it. */
  later: (callback: () => void, milliseconds: number) => () => void;
  /** Whether something waits that failed at least once. */
  onUnsaved: (isUnsaved: boolean) => void;
}

const shortestWait = 10_000;
const longestWait = 5 * 60_000;

/**
 * Sends notes, one request at a time. A note is kept until the server has confirmed it: a connection that comes and goes,
 * a reload or a closed browser lose nothing. After a failure it waits, longer each time, so that a server that is busy
 * is left alone. Notes may arrive twice: the server merges them without harm.
 */
export function createProgressSaver(options: ProgressSaverOptions): ProgressSaver {
  const { kept, most, send, mayRetry, later, onUnsaved } = options;
  let isUnderWay = false;
  let failures = 0;
  let cancelWait: (() => void) | undefined;
  let isClosed = false;

  async function push(): Promise<void> {
    if (isUnderWay || cancelWait) return;
    const notes = kept.all().slice(0, most);
    if (notes.length === 0) return;
    isUnderWay = true;
    const isDone = await deliver(notes, false);
    isUnderWay = false;
    if (isDone) await push();
    else waitAWhile();
  }

  /** Whether these notes are dealt with: confirmed, or refused for good. */
  async function deliver(notes: readonly LessonNote[], leaving: boolean): Promise<boolean> {
    try {
      await send(notes, { leaving });
    } catch (error) {
      if (mayRetry(error)) {
        failures += 1;
        onUnsaved(true);
        return false;
      }
    }
    for (const [lessonId, note] of notes) kept.forget(lessonId, note);
    failures = 0;
    onUnsaved(false);
    return true;
  }

  function waitAWhile(): void {
    if (isClosed) return;
    const milliseconds = Math.min(longestWait, shortestWait * 2 ** (failures - 1));
    // Not all browsers that were refused together at the same time again.
    cancelWait = later(retry, milliseconds * (0.75 + Math.random()));
  }

  function retry(): void {
    isClosed = false;
    cancelWait?.();
    cancelWait = undefined;
    void push();
  }

  return {
    note(lessonId, note, isDue) {
      kept.add(lessonId, note);
      if (isDue) void push();
    },
    retry,
    leave() {
      const notes = kept.all();
      for (let at = 0; at < notes.length; at += most) void deliver(notes.slice(at, at + most), true);
    },
    close() {
      isClosed = true;
      cancelWait?.();
      cancelWait = undefined;
    },
  };
}
