import type { Versioned } from "#app/editing/editing.ts";
import { useKeptDraft } from "#app/editing/kept-draft.ts";
import type { Announcement, AnnouncementText, Audience } from "#contract/admin/announcements.ts";
import { audienceWords } from "./announcement-words.ts";

/** An announcement as the fields of its form hold it. */
export interface Typed extends Omit<AnnouncementText, "button"> {
  label: string;
  url: string;
  /** Of the draft that it was made from. */
  version?: string | undefined;
}

/** What is typed about the announcement at the address `open`, kept in this browser until it is saved or discarded. */
export function useTyped(open: string, saved: Typed) {
  return useKeptDraft(`announcement-${open}`, saved);
}

/** @param to whom a new one is for, where that is decided. */
export function typedOf(saved: Announcement | null, to: Audience | null): Typed {
  const { subject = "", text = "", audience = to ?? "everybody", button = null } = saved ?? {};
  return { subject, text, audience, label: button?.label ?? "", url: button?.url ?? "", version: saved?.version };
}

export function textOf({ label, url, ...text }: Typed): Versioned<AnnouncementText> {
  return { ...text, button: label.trim() || url.trim() ? { label, url: url.trim() } : null };
}

/** Its fields as the form calls them. */
export function inWords({ audience, subject, text, label, url }: Typed): object {
  return { to: audienceWords(audience, null), subject, text, button: label || null, "leads to": url || null };
}
