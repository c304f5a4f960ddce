import type { ContactState } from "#contract/admin/contacts.ts";
import { Badge } from "../../ui/badge.tsx";

const looks = {
  new: { tone: "tag", words: "New" },
  open: { tone: "plain", words: "Open" },
  answered: { tone: "success", words: "Answered" },
} as const;

export function StateBadge({ state }: { state: ContactState }) {
  return <Badge tone={looks[state].tone}>{looks[state].words}</Badge>;
}
