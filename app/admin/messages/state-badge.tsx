import type { ContactState } from "#contract/admin/contacts.ts";
import { Badge } from "#ui/badge.tsx";

const badges = {
  new: { tone: "tag", words: "New" },
  open: { tone: "plain", words: "Open" },
  answered: { tone: "success", words: "Answered" },
} as const;

export function StateBadge({ state }: { state: ContactState }) {
  return <Badge tone={badges[state].tone}>{badges[state].words}</Badge>;
}
