import type { BulkAction, BulkKind, BulkPreview, SkipReason } from "#contract/admin/bulk-actions.ts";
import type { Tier } from "#contract/tiers.ts";
import { planName } from "#ui/academy.ts";
import { formatShortDay } from "#ui/format/dates.ts";
import type { CountRow } from "../batches/count-list.tsx";

const reasonWords: Readonly<Record<SkipReason, string>> = {
  team: "Of the team, who are changed one at a time",
  left: "Deleted accounts",
  "has-it": "Have it already, for at least as long",
  "higher-plan": "Have a higher plan, which they keep",
  "nothing-renews": "Nothing renews, so nothing can be held",
  declined: "Payment declined: they go on hold by themselves",
  blocked: "On hold or suspended already",
  suspended: "Suspended already",
  "not-blocked": "Open already, and no payment is declined",
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
    outcome: "get it",
    isDangerous: false,
    undo: "The plan is taken back. A subscription that ended for it does not begin again by itself.",
  },
  hold: {
    title: "Hold accounts",
    confirm: "Hold",
    outcome: "are put on hold",
    isDangerous: true,
    undo: "Their accounts are opened again, and they are told by email.",
  },
  suspend: {
    title: "Suspend accounts",
    confirm: "Suspend",
    outcome: "are suspended",
    isDangerous: true,
    undo: "Their accounts are opened again, and they are told by email.",
  },
  reactivate: {
    title: "Reactivate accounts",
    confirm: "Reactivate",
    outcome: "are opened again",
    isDangerous: false,
    undo: "Their accounts are closed again for the reasons of before, and they are told by email.",
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
