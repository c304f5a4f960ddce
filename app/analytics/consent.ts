import { useSyncExternalStore } from "react";

export type Consent = "granted" | "declined";

/** What was answered is kept in this browser alone. */
const key = "measuringConsent";
const listeners = new Set<() => void>();
/** Where the browser keeps nothing, the answer holds as long as the document. */
let answer: Consent | null = null;

/** The visitor's answer, or null before there is one. */
export function useConsent(): Consent | null {
  return useSyncExternalStore(subscribe, read);
}

/** Keeps the answer. */
export function answerConsent(consent: Consent): void {
  answer = consent;
  try {
    window.localStorage.setItem(key, consent);
  } catch {
    // Storage is switched off: the next document asks again.
  }
  for (const listener of listeners) listener();
}

function read(): Consent | null {
  try {
    const kept = window.localStorage.getItem(key);
    return kept === "granted" || kept === "declined" ? kept : answer;
  } catch {
    return answer;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
