import { mergeNotes, type ProgressNote } from "./progress-notes.ts";

export interface ProgressSaver {
  /** Notes something and saves it, with everything that could not be saved before. */
  note: (lessonId: string, note: ProgressNote) => void;
  /** Tries again what could not be saved. */
  retry: () => void;
  /** The page is going away: sends what is not saved yet in a way that outlives it. */
  leave: () => void;
}

interface ProgressSaverOptions {
  /** Saves one note; with `leaving` by a request that outlives the page. */
  send: (lessonId: string, note: ProgressNote, options: { leaving: boolean }) => Promise<void>;
  /** Whether trying again later can help. */
  mayRetry: (error: unknown) => boolean;
  /** How many lessons have something unsaved that failed at least once. */
  onUnsaved: (count: number) => void;
}

/**
 * Saves notes about lessons one after the other per lesson. What fails is kept and merged into the next save, so that
 * a connection that comes and goes loses nothing. Notes may be sent twice: the server merges them without harm.
 */
export function createProgressSaver({ send, mayRetry, onUnsaved }: ProgressSaverOptions): ProgressSaver {
  const waiting = new Map<string, ProgressNote>();
  const underWay = new Map<string, ProgressNote>();
  const failed = new Set<string>();

  async function push(lessonId: string): Promise<void> {
    const note = waiting.get(lessonId);
    if (!note || underWay.has(lessonId)) return;
    waiting.delete(lessonId);
    underWay.set(lessonId, note);
    const kept = await deliver(lessonId, note, false);
    underWay.delete(lessonId);
    if (!kept) await push(lessonId);
  }

  /** True when the note failed and waits for the next try. */
  async function deliver(lessonId: string, note: ProgressNote, leaving: boolean): Promise<boolean> {
    try {
      await send(lessonId, note, { leaving });
      failed.delete(lessonId);
      return false;
    } catch (error) {
      if (!mayRetry(error)) {
        failed.delete(lessonId);
        return false;
      }
      waiting.set(lessonId, mergeNotes(note, waiting.get(lessonId) ?? {}));
      failed.add(lessonId);
      return true;
    } finally {
      onUnsaved(failed.size);
    }
  }

  function retry(): void {
    for (const lessonId of [...waiting.keys()]) void push(lessonId);
  }

  return {
    note(lessonId, note) {
      waiting.set(lessonId, mergeNotes(waiting.get(lessonId) ?? {}, note));
      retry();
    },
    retry,
    leave() {
      for (const lessonId of new Set([...underWay.keys(), ...waiting.keys()])) {
        const note = mergeNotes(underWay.get(lessonId) ?? {}, waiting.get(lessonId) ?? {});
        waiting.delete(lessonId);
        void deliver(lessonId, note, true);
      }
    },
  };
}
