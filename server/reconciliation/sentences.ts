import type { DiscrepancyKind } from "#contract/admin/reconciliation.ts";
import { formatMoney } from "#contract/money.ts";

/** What a sentence about a discrepancy is made of. */
export interface SentenceFacts {
  /** Name and address; null when it is about nobody whom we know. */
  readonly person: string | null;
  /** Plan and id; null when it is about no purchase. */
  readonly purchase: string | null;
  readonly transactionId: string | null;
  readonly expectedCents: number | null;
  readonly foundCents: number | null;
  readonly detail: string | null;
}

/** Says what is wrong, for whom and about which purchase. */
export function sentenceOf(kind: DiscrepancyKind, facts: SentenceFacts): string {
  const who = facts.person ?? "Somebody whom we do not know";
  const what = facts.purchase ?? "no purchase of ours";
  const charge = facts.transactionId ? `charge ${facts.transactionId}` : "a charge";
  const ours = money(facts.expectedCents);
  const theirs = money(facts.foundCents);
  const sentences: Readonly<Record<DiscrepancyKind, () => string>> = {
    "unknown-here": () => `The gateway has ${charge} of ${theirs}, and no purchase of ours expects it.`,
    "not-recorded": () => `${who} was charged ${theirs} for ${what} (${charge}), which counts as not paid here.`,
    "unknown-there": () => `${who} has ${what} by ${charge} of ${ours}, which the gateway does not know.`,
    "amount-differs": () => `${who} paid ${theirs} for ${what} by the gateway's ${charge}; our books say ${ours}.`,
    "not-settled": () => `The ${charge} of ${ours} by ${who} for ${what} was approved and never settled.`,
    disputed: () => `${who} disputed the ${charge} of ${ours} for ${what}, and the bank took the money back.`,
    "returned-elsewhere": () =>
      `${theirs} of the payment of ${who} for ${what} was returned at the gateway (transaction ${facts.transactionId}), and our books do not have it.`,
    "reference-differs": () =>
      `The gateway has ${charge} of ${theirs} under the invoice of ${who} for ${what}, with a reference that is not the one of our payment.`,
    "refund-reference-differs": () =>
      `The gateway has a refund of ${theirs} (transaction ${facts.transactionId}) for ${who}, ${what}, with a reference that is not the one of our refund of ${ours}.`,
    "outcomes-unknown": () =>
      `Nobody knows whether ${who} was charged for ${what}: ${facts.detail ?? "several tries"} had no answer that could be found. Nothing is charged until you have looked at the gateway.`,
  };
  const said = sentences[kind]();
  return said.charAt(0).toUpperCase() + said.slice(1);
}

function money(cents: number | null): string {
  return cents === null ? "an unknown amount" : formatMoney(cents);
}
