import type { AdminContact } from "#contract/admin/contacts.ts";
import { Badge } from "#ui/badge.tsx";

const badges = {
  new: { tone: "tag", words: "New" },
  open: { tone: "plain", words: "Open" },
  answered: { tone: "success", words: "Answered" },
} as const;

export function StateBadge({
  message: { state, isSuspected },
}: {
  message: Pick<AdminContact, "state" | "isSuspected">;
}) {
  return (
    <span className="flex flex-wrap gap-2">
      <Badge tone={badges[state].tone}>{badges[state].words}</Badge>
      {isSuspected && <Badge tone="plain">Suspected spam</Badge>}
    </span>
  );
}
