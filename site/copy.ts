import { placeholderSupportEmail } from "#content/site.ts";
import type { CopyOnPages } from "#contract/copy.ts";
import { plainText } from "#contract/markup.ts";
import { academy, named } from "#ui/academy.ts";

/** Replaces the marks for the academy's name and its refund window. */
export function fillIn(copy: CopyOnPages): CopyOnPages {
  return filled(copy) as CopyOnPages;
}

function filled(value: unknown): unknown {
  if (typeof value === "string") return named(value);
  if (Array.isArray(value)) return value.map(filled);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, filled(part)]));
}

/** The text without markup, for search engines. */
export function wordsAlone(text: string): string {
  return plainText(text).replaceAll("{email}", () => academy().supportEmail ?? placeholderSupportEmail);
}
