import type { KeptNotes } from "./kept-notes.ts";
import type { ProgressNote } from "./notes.ts";

export interface ProgressSaver {
  /** Stores a note. If it is due, sends it with all other unconfirmed ones. */
  note: (lessonId: string, note: ProgressNote, isDue: boolean) => void;
  /** Sends waiting notes now, such as when a page opens or the connection returns. */
  retry: () => void;
  /** The page is closing: sends unconfirmed notes by a request that outlives it. */
  leave: () => void;
  /** Stops automatic retries until `retry` is called. Waiting notes stay stored. */
  close: () => void;
}

export type LessonNote = readonly [lessonId: string, note: ProgressNote];

interface ProgressSaverOptions {
  kept: KeptNotes;
  /** The maximum number of notes in a request. */
  most: number;
  /** Sends notes. With `leaving`, by a request that outlives the page. */
  send: (notes: readonly LessonNote[], options: { leaving: boolean }) => Promise<void>;
  /** Whether a retry can succeed. */
  mayRetry: (error: unknown) => boolean;
  /** Called with notes that are not retried. */
  onRefused: (notes: readonly LessonNote[], error: unknown) => void;
  /** Calls back after this delay. Returns a function that cancels it. */
  later: (callback: () => void, milliseconds: number) => () => void;
  /** Called after each request, with whether notes wait that have failed at least once. */
  onUnsaved: (isUnsaved: boolean) => void;
}

const minWaitMilliseconds = 10_000;
const maxWaitMilliseconds = 5 * 60_000;

/**
 * Sends notes, one request at a time. Each note is stored until the server confirms it, so that an unstable connection,
 * a reload or a closed browser loses nothing. Waits longer after each failure, to spare a busy server. Notes may arrive
 * twice: the server merges them.
 */
export function createProgressSaver(options: ProgressSaverOptions): ProgressSaver {
  const { kept, most, send, mayRetry, onRefused, later, onUnsaved } = options;
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

  /** Whether these notes are done: confirmed, or permanently refused. */
  async function deliver(notes: readonly LessonNote[], leaving: boolean): Promise<boolean> {
    try {
      await send(notes, { leaving });
    } catch (error) {
      if (mayRetry(error)) {
        failures += 1;
        onUnsaved(true);
        return false;
      }
      onRefused(notes, error);
    }
    for (const [lessonId, note] of notes) kept.forget(lessonId, note);
    failures = 0;
    onUnsaved(false);
    return true;
  }

  function waitAWhile(): void {
    if (isClosed) return;
    const milliseconds = Math.min(maxWaitMilliseconds, minWaitMilliseconds * 2 ** (failures - 1));
    // A random part, so that browsers that failed together do not retry together.
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
