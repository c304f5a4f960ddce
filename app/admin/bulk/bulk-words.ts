import type { BulkAction, BulkKind, BulkPreview, SkipReason } from "#contract/admin/bulk-actions.ts";
import type { Tier } from "#contract/tiers.ts";
import { planName } from "#ui/academy.ts";
import { formatShortDay } from "#ui/format/dates.ts";
import type { CountRow } from "../batches/count-list.tsx";

const reasonWords: Readonly<Record<SkipReason, string>> = {
  team: "On the team. Change them one at a time",
  left: "Deleted accounts",
  "has-it": "Already have it for at least as long",
  "higher-plan": "Have a higher plan, which they keep",
  "nothing-renews": "No subscription to put on hold",
  declined: "Payment declined, so they go on hold automatically",
  blocked: "Already on hold or suspended",
  suspended: "Already suspended",
  "not-blocked": "Already open, with no declined payment",
  changed: "Have changed since",
  unpaid: "Are on hold until they pay",
  failed: "Failed three times",
  stopped: "Stopped before it was their turn",
};

export function reasonOf(reason: SkipReason): string {
  return reasonWords[reason];
}

export function countsOf(skipped: BulkPreview["skipped"]): CountRow[] {
  return skipped.map(({ reason, people }) => [people, reasonWords[reason]]);
}

export const kindWords: Readonly<
  Record<BulkKind, { title: string; confirm: string; outcome: string; isDangerous: boolean; undo: string }>
> = {
  grant: {
    title: "Give a plan",
    confirm: "Give",
    outcome: "will get it",
    isDangerous: false,
    undo: "We’ll remove the plan. A subscription that it replaced won’t restart.",
  },
  hold: {
    title: "Hold accounts",
    confirm: "Hold",
    outcome: "will be put on hold",
    isDangerous: true,
    undo: "We’ll reopen their accounts and email them.",
  },
  suspend: {
    title: "Suspend accounts",
    confirm: "Suspend",
    outcome: "will be suspended",
    isDangerous: true,
    undo: "We’ll reopen their accounts and email them.",
  },
  reactivate: {
    title: "Reactivate accounts",
    confirm: "Reactivate",
    outcome: "will be reactivated",
    isDangerous: false,
    undo: "We’ll close their accounts again for the earlier reasons and email them.",
  },
};

/** "Annual Access until Mar 3, 2027", "Hold accounts", "Undo: Suspend accounts" */
export function titleOf({
  kind,
  tier,
  endsAt,
  undoes,
}: Pick<BulkAction, "kind" | "tier" | "endsAt" | "undoes">): string {
  const what = kind === "grant" && tier ? giftWords(tier, endsAt) : kindWords[kind].title;
  return undoes ? `Undo: ${what}` : what;
}

function giftWords(tier: Tier, endsAt: string | null): string {
  return `Give ${planName(tier)} ${endsAt ? `until ${formatShortDay(endsAt)}` : "for good"}`;
}
