import type { AttemptKind, AttemptState, RefundKind, RefundState } from "#contract/admin/payment-states.ts";
import { Badge } from "#ui/badge.tsx";

export const attemptKinds: Readonly<Record<AttemptKind, string>> = { initial: "First payment", renewal: "Renewal" };

export const refundKinds: Readonly<Record<RefundKind, string>> = { void: "Cancelled charge", refund: "Refund" };

/** Of payment attempts and of refunds, whose states don't differ in meaning. */
export const paymentStates: Readonly<Record<AttemptState | RefundState, string>> = {
  sent: "Being confirmed",
  unknown: "Being confirmed",
  held: "Held for review",
  approved: "Paid",
  declined: "Declined",
  "not-processed": "Failed",
  returned: "Refunded",
  refused: "Refused",
};

const tones: Readonly<Partial<Record<AttemptState | RefundState, "success" | "danger">>> = {
  approved: "success",
  returned: "success",
  declined: "danger",
  "not-processed": "danger",
  refused: "danger",
  unknown: "danger",
  held: "danger",
};

export function PaymentStateBadge({ state }: { state: AttemptState | RefundState }) {
  return <Badge tone={tones[state] ?? "plain"}>{paymentStates[state]}</Badge>;
}
