import { ChangeList } from "#app/editing/change-list.tsx";
import type { Announcement } from "#contract/admin/announcements.ts";
import { Button } from "#ui/controls/button.tsx";
import { inWords, typedOf, useTyped } from "./typed.ts";

interface LeftOverProps {
  /** Its id, as the address says it. */
  open: string;
  /** As it went out; null when it is gone. */
  sent: Announcement | null;
}

/** What somebody was still typing when the announcement was sent or deleted elsewhere. */
export function LeftOver({ open, sent }: LeftOverProps) {
  const before = typedOf(sent, null);
  const { value, isChanged, discard } = useTyped(open, before);
  if (!isChanged) return null;
  return (
    <section
      aria-label="Not saved"
      className="grid gap-3 rounded-sm border-2 border-danger bg-danger-soft p-4 text-left text-sm"
    >
      <p className="font-semibold">
        {sent ? "It was sent" : "It was deleted"} while you were writing. What you wrote is kept in this browser: take
        from here what you want to send in another one.
      </p>
      <ChangeList before={sent && inWords(before)} after={inWords(value)} />
      <Button variant="outline" size="small" onClick={discard} className="justify-self-start">
        Discard
      </Button>
    </section>
  );
}
