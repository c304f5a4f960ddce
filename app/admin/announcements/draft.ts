import type { Announcement, AnnouncementText } from "#contract/admin/announcements.ts";
import { audienceWords } from "./announcement-words.ts";

/** The name under which this browser keeps what is typed for the announcement that the URL's `open` names. */
export const draftName = (open: string) => `announcement-${open}`;

export const blank: AnnouncementText = { subject: "", text: "", button: null, audience: "everybody" };

export function textOf({ subject, text, button, audience }: Announcement): AnnouncementText {
  return { subject, text, button, audience };
}

/** The fields under the form's labels. */
export function inWords({ audience, subject, text, button }: AnnouncementText): object {
  return {
    to: audienceWords(audience, null),
    subject,
    text,
    button: button?.label || null,
    "button link": button?.url || null,
  };
}
