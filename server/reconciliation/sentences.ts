import type { DiscrepancyKind } from "#contract/admin/reconciliation.ts";
import { formatCents } from "#contract/money.ts";

export interface SentenceFacts {
  /** Name and email address. Null: unknown. */
  readonly person: string | null;
  /** Plan and id. Null: no purchase. */
  readonly purchase: string | null;
  readonly transactionId: string | null;
  readonly expectedCents: number | null;
  readonly foundCents: number | null;
  readonly detail: string | null;
}

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
    "refund-failed": () =>
      `The refund of ${ours} to ${who} for ${what} (transaction ${facts.transactionId}) failed at the gateway: the money did not arrive.`,
    "refund-missing": () =>
      `Our books say that ${ours} went back to ${who} for ${what}, and the gateway has no such refund${facts.transactionId ? ` (transaction ${facts.transactionId})` : ""}.`,
    "void-settled": () =>
      `The ${charge} of ${ours} by ${who} for ${what} counts as voided here, and the gateway settled it all the same.`,
    "credit-unlinked": () =>
      `The gateway paid out ${theirs} (transaction ${facts.transactionId}) for no charge of ours.`,
    "dispute-won": () =>
      `The dispute of ${who} about the ${charge} of ${ours} for ${what} was won: the money is back, and our books say that it is lost.`,
    "grant-missing": () => `${who} paid ${ours} for ${what}, and no grant opens the course for it.`,
    "grant-unpaid": () =>
      `${who} has a grant (${facts.detail ?? "unknown"}) for ${what} that no payment stands behind.`,
    "attempt-missing": () => `${who} has ${what} as completed for ${ours}, and there is no approved payment attempt.`,
    "purchase-not-completed": () =>
      `${who} paid ${ours} for ${what} (${charge}), and the purchase does not count as completed.`,
    "amount-changed": () => `${who} was charged ${ours} for ${what} (${charge}), and the purchase says ${theirs}.`,
    "end-unfounded": () =>
      `The access of ${who} for ${what} was ended, and neither a refund nor an administrator did it.`,
    "credit-unfounded": () =>
      `The upgrade of ${who} to ${what} was credited with ${ours} of ${charge}, of which only ${theirs} is left.`,
    "payment-unresolved": () =>
      `Nobody knows yet whether ${who} was charged ${ours} for ${what}: the gateway was asked, and ${facts.detail ?? "has not said"}. Until it is known the student can neither pay nor renew.`,
    "refund-unresolved": () =>
      `Nobody knows yet whether ${ours} went back to ${who} for ${what}: the gateway was asked, and ${facts.detail ?? "has not said"}.`,
    "coupon-count": () => `The coupon ${facts.detail ?? "unknown"}.`,
    "coupon-use": () => `The use by ${who} of the coupon ${facts.detail ?? "unknown"}.`,
    "tier-cache": () => `The lists show ${who} with ${facts.detail ?? "another tier"}.`,
  };
  const said = sentences[kind]();
  return said.charAt(0).toUpperCase() + said.slice(1);
}

function money(cents: number | null): string {
  return cents === null ? "an unknown amount" : formatCents(cents);
}
