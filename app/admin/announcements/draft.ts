import type { Announcement, AnnouncementText } from "#contract/admin/announcements.ts";
import { audienceWords } from "./announcement-words.ts";

/** The name under which this browser keeps what is typed for the announcement that the URL's `open` names. */
export const draftName = (open: string) => `announcement-${open}`;

export const blank: AnnouncementText = { subject: "", text: "", button: null, audience: "everybody", toTeam: false };

export function textOf({ subject, text, button, audience, toTeam }: Announcement): AnnouncementText {
  return { subject, text, button, audience, toTeam };
}

/** The fields under the form's labels. */
export function inWords({ audience, toTeam, subject, text, button }: AnnouncementText): object {
  return {
    to: audienceWords(audience, undefined),
    "also to the team": toTeam ? "yes" : null,
    subject,
    text,
    button: button?.label || null,
    "button link": button?.url || null,
  };
}
