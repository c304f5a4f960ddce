import { useSyncExternalStore } from "react";

interface CaptionChoice {
  /** Null until the viewer chooses one. */
  readonly language: string | null;
  readonly isShown: boolean;
}

/** The language's key is the one that the library's captions button reads. */
const keys = { language: "media-chrome-pref-subtitles-lang", shown: "captions-shown" };
const listeners = new Set<() => void>();
let choice: CaptionChoice | null = null;

/** What the viewer last chose in this browser. */
export function captionChoice(): CaptionChoice {
  choice ??= { language: read(keys.language), isShown: read(keys.shown) === "true" };
  return choice;
}

export function chooseCaptions(changes: Partial<CaptionChoice>): void {
  const before = captionChoice();
  const next = { ...before, ...changes };
  if (next.language === before.language && next.isShown === before.isShown) return;
  choice = next;
  try {
    if (next.language) window.localStorage.setItem(keys.language, next.language);
    window.localStorage.setItem(keys.shown, String(next.isShown));
  } catch {
    // Storage is blocked: the choice lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

export function onCaptionChoice(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The one of the languages that the viewer chose or reads, or else the first. */
export function useCaptionLanguage(languages: readonly string[]): string | undefined {
  return useSyncExternalStore(onCaptionChoice, () => captionLanguage(languages));
}

export function captionLanguage(languages: readonly string[]): string | undefined {
  const { language } = captionChoice();
  for (const wanted of [...(language ? [language] : []), ...navigator.languages]) {
    const found = languages.find((one) => one === wanted) ?? languages.find((one) => baseOf(one) === baseOf(wanted));
    if (found) return found;
  }
  return languages[0];
}

const baseOf = (tag: string) => tag.split("-")[0];

function read(key: string): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}
