import type { AdminContact, ContactState } from "#contract/admin/contacts.ts";
import { Badge } from "#ui/badge.tsx";

export const messageStates = {
  new: { tone: "tag", words: "New" },
  open: { tone: "plain", words: "Open" },
  answered: { tone: "success", words: "Answered" },
} as const satisfies Record<ContactState, object>;

export function StateBadge({
  message: { state, isSuspected },
}: {
  message: Pick<AdminContact, "state" | "isSuspected">;
}) {
  return (
    <span className="flex flex-wrap gap-2">
      <Badge tone={messageStates[state].tone}>{messageStates[state].words}</Badge>
      {isSuspected && <Badge tone="plain">Suspected spam</Badge>}
    </span>
  );
}
