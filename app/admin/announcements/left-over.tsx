import { LeftOver } from "#app/editing/left-over.tsx";
import type { Announcement } from "#contract/admin/announcements.ts";
import { inWords, typedOf, useTyped } from "./typed.ts";

interface LeftAnnouncementProps {
  /** Its id, as the address says it. */
  open: string;
  /** As it went out; null when it is gone. */
  sent: Announcement | null;
}

/** What somebody was still typing when the announcement was sent or deleted elsewhere. */
export function LeftAnnouncement({ open, sent }: LeftAnnouncementProps) {
  const before = typedOf(sent, null);
  const { value, isChanged, discard } = useTyped(open, before);
  if (!isChanged) return null;
  return (
    <LeftOver
      why={`${sent ? "It was sent" : "It was deleted"} while you were writing. What you wrote is kept in this browser: take from here what you want to send in another one.`}
      before={sent && inWords(before)}
      after={inWords(value)}
      onDiscard={discard}
    />
  );
}
