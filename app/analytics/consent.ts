import { useSyncExternalStore } from "react";

export type Consent = "granted" | "declined";

/** The visitor's choice is stored only in this browser. */
const key = "measuringConsent";
const listeners = new Set<() => void>();
/** Holds the choice when storage is blocked, for as long as the document lives. */
let answer: Consent | null = null;

/** The visitor's choice, or null before the first. */
export function useConsent(): Consent | null {
  return useSyncExternalStore(subscribe, read);
}

/** Stores the choice and notifies all users of `useConsent`. */
export function answerConsent(consent: Consent): void {
  answer = consent;
  try {
    window.localStorage.setItem(key, consent);
  } catch {
    // Storage is blocked, so the next document asks again.
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
