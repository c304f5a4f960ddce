import { type AcademyOnPages, refundWindow } from "#contract/academy.ts";
import { type Tier, withPlanNames } from "#contract/tiers.ts";

let known: AcademyOnPages | null = null;
const listeners = new Set<() => void>();

/** The academy of the page that a server renders; undefined in browsers. */
let findRendered: () => AcademyOnPages | undefined = () => undefined;

/** For servers, which render pages at the same time that may differ in the academy. */
export function readAcademyFrom(find: () => AcademyOnPages | undefined): void {
  findRendered = find;
}

/** Shows another academy in this browser's document. */
export function sayAcademy(academy: AcademyOnPages): void {
  known = academy;
  for (const listener of listeners) listener();
}

/** Calls `listener` after each change. @returns a function that unsubscribes */
export function onAcademySaid(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The academy's name, settings and footer, as embedded in the page. */
export function academy(): AcademyOnPages {
  const rendered = findRendered();
  if (rendered) return rendered;
  known ??= JSON.parse(document.getElementById("academy")?.textContent ?? "null") as AcademyOnPages | null;
  if (!known) throw new Error("the page does not say whose it is");
  return known;
}

/** The published name of the tier's plan. */
export function planName(tier: Tier): string {
  return academy().planNames[tier];
}

/** Replaces the marks for the academy's name, its refund window and its plans' names in a text. */
export function named(text: string): string {
  const { name, planNames } = academy();
  return withPlanNames(text, planNames)
    .replaceAll("{academy}", () => name)
    .replaceAll("{refundDays}", refundWindow(academy()));
}

/** A document's title with the academy's name. */
export function titled(title: string): string {
  return `${title} | ${academy().name}`;
}
