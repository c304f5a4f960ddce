import { type AcademyOnPages, refundWindow } from "#contract/academy.ts";

let known: AcademyOnPages | null = null;
const listeners = new Set<() => void>();

/** Says it for what is rendered from now on. The server does so before each page; in a browser the document does. */
export function sayAcademy(academy: AcademyOnPages): void {
  known = academy;
  for (const listener of listeners) listener();
}

/** Calls `listener` whenever something else is said. @returns ends that. */
export function onAcademySaid(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Who runs the academy, as the page at hand says. */
export function academy(): AcademyOnPages {
  known ??= JSON.parse(document.getElementById("academy")?.textContent ?? "null") as AcademyOnPages | null;
  if (!known) throw new Error("the page does not say whose it is");
  return known;
}

/** A text of the content files with the academy's name, and how long it refunds, in place of their marks. */
export function named(text: string): string {
  return text.replaceAll("{academy}", academy().name).replaceAll("{refundDays}", refundWindow(academy()));
}

/** The title of a document: what it is about, and whose it is. */
export function titled(title: string): string {
  return `${title} | ${academy().name}`;
}
