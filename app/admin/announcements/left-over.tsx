import { useKeptDraft } from "#app/editing/kept-draft.ts";
import { LeftOver } from "#app/editing/left-over.tsx";
import type { Announcement } from "#contract/admin/announcements.ts";
import { blank, draftName, inWords, textOf } from "./draft.ts";

interface LeftAnnouncementProps {
  /** The announcement's id, from the URL. */
  open: string;
  /** The announcement as it was sent. Null if it was deleted. */
  sent: Announcement | null;
}

/** Unsaved input for an announcement that was sent or deleted elsewhere. */
export function LeftAnnouncement({ open, sent }: LeftAnnouncementProps) {
  const before = sent ? textOf(sent) : blank;
  const { value, isChanged, discard } = useKeptDraft(draftName(open), before);
  if (!isChanged) return null;
  return (
    <LeftOver
      why={`${sent ? `It was ${sent.state === "scheduled" ? "scheduled" : "sent"}` : "It was deleted"} while you were writing. Your text is kept in this browser. Copy what you want to use in another announcement.`}
      before={sent && inWords(before)}
      after={inWords(value)}
      onDiscard={discard}
    />
  );
}
