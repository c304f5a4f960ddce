import type { Versioned } from "#app/editing/editing.ts";
import { useKeptDraft } from "#app/editing/kept-draft.ts";
import type { Announcement, AnnouncementText, Audience } from "#contract/admin/announcements.ts";
import { audienceWords } from "./announcement-words.ts";

/** An announcement as the fields of its form. */
export interface Typed extends Omit<AnnouncementText, "button"> {
  label: string;
  url: string;
  /** The version of the draft that the input is based on. */
  version?: string | undefined;
}

/** The input for the announcement that the URL's `open` names. This browser keeps it until it is saved or discarded. */
export function useTyped(open: string, saved: Typed) {
  return useKeptDraft(`announcement-${open}`, saved);
}

/** @param to the preselected audience of a new announcement, if there is one. */
export function typedOf(saved: Announcement | null, to: Audience | null): Typed {
  const { subject = "", text = "", audience = to ?? "everybody", button = null } = saved ?? {};
  return { subject, text, audience, label: button?.label ?? "", url: button?.url ?? "", version: saved?.version };
}

export function textOf({ label, url, ...text }: Typed): Versioned<AnnouncementText> {
  return { ...text, button: label.trim() || url.trim() ? { label, url: url.trim() } : null };
}

/** The fields under the form's labels. */
export function inWords({ audience, subject, text, label, url }: Typed): object {
  return { to: audienceWords(audience, null), subject, text, button: label || null, "leads to": url || null };
}
