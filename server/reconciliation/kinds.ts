import { type DiscrepancyKind, repairFailed } from "#contract/admin/reconciliation.ts";
import { formatCents } from "#contract/money.ts";
import type { Kind } from "./discrepancy-kind.ts";
import { kindsOfTheGateway } from "./gateway-kinds.ts";
import { kindsOfOurRows } from "./own-kinds.ts";

export const kinds: Readonly<Record<DiscrepancyKind, Kind>> = { ...kindsOfTheGateway, ...kindsOfOurRows };

/** What is wrong, for whom and about which purchase. */
export function sentenceOf(
  kind: DiscrepancyKind,
  facts: {
    readonly person: string | null;
    readonly purchase: string | null;
    readonly transactionId: string | null;
    readonly expectedCents: number | null;
    readonly foundCents: number | null;
    readonly detail: string | null;
  },
): string {
  const { person, purchase, transactionId, expectedCents, foundCents, detail } = facts;
  const said = kinds[kind].sentence({
    who: person ?? "An unknown person",
    what: purchase ?? "an unknown purchase",
    charge: transactionId ? `charge ${transactionId}` : "a charge",
    transactionId,
    ours: money(expectedCents),
    theirs: money(foundCents),
    detail,
  });
  return said.charAt(0).toUpperCase() + said.slice(1);
}

function money(cents: number | null): string {
  return cents === null ? "an unknown amount" : formatCents(cents);
}

/** What to do about it, for a terminal. */
export function adviceFor(kind: DiscrepancyKind): string {
  const labels = kinds[kind].actions.map(({ label }) => label).join(" or ");
  return labels ? `At /admin/reconciliation: ${labels}.` : repairFailed;
}
