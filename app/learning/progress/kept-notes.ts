import { mergeNotes, type ProgressNote } from "./notes.ts";

/** The unconfirmed notes, one per lesson. */
export interface KeptNotes {
  all: () => [lessonId: string, note: ProgressNote][];
  /** Merges a note into the lesson's stored note. */
  add: (lessonId: string, note: ProgressNote) => void;
  /** Deletes a note, unless it has changed since it was read. */
  forget: (lessonId: string, note: ProgressNote) => void;
}

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** This browser's storage, or null where it is blocked. */
export function browserStore(): Store | null {
  return attempt(() => window.localStorage) ?? null;
}

/**
 * Stores a student's notes in `store`, where they survive the page and all tabs share them. If storage fails, the notes
 * live as long as the page.
 */
export function keepNotes(userId: string, store: Store | null): KeptNotes {
  const prefix = `academy-notes.${userId}.`;
  const here = new Map<string, ProgressNote>();

  function stored(lessonId: string): ProgressNote | undefined {
    const text = attempt(() => store?.getItem(prefix + lessonId));
    const note = text ? attempt(() => JSON.parse(text) as ProgressNote | null) : undefined;
    return Array.isArray(note?.watched) ? note : undefined;
  }

  function read(lessonId: string): ProgressNote | undefined {
    return here.get(lessonId) ?? stored(lessonId);
  }

  return {
    all() {
      const keys = attempt(() => Array.from({ length: store?.length ?? 0 }, (_, at) => store?.key(at) ?? "")) ?? [];
      const lessons = keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
      return [...new Set([...here.keys(), ...lessons])].flatMap((lessonId) => {
        const note = read(lessonId);
        return note ? [[lessonId, note] as [string, ProgressNote]] : [];
      });
    },
    add(lessonId, note) {
      const before = read(lessonId);
      const merged = before ? mergeNotes(before, note) : note;
      const isStored = attempt(() => {
        store?.setItem(prefix + lessonId, JSON.stringify(merged));
        return store !== null;
      });
      if (isStored) here.delete(lessonId);
      else here.set(lessonId, merged);
    },
    forget(lessonId, note) {
      if (JSON.stringify(read(lessonId)) !== JSON.stringify(note)) return;
      here.delete(lessonId);
      attempt(() => store?.removeItem(prefix + lessonId));
    },
  };
}

/** Every access to storage may throw: it may be blocked, full, or hold invalid data. */
function attempt<Value>(use: () => Value): Value | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
