import { after, DAY, MINUTE } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";

export const refundKinds = ["void", "refund"] as const;
export type RefundKind = (typeof refundKinds)[number];

export const refundStates = ["sent", "unknown", "returned", "refused"] as const;
export type RefundState = (typeof refundStates)[number];

export const openRefundStates = ["sent", "unknown"] as const satisfies readonly RefundState[];

export function isOpenRefund({ state }: { readonly state: RefundState }): boolean {
  return (openRefundStates as readonly RefundState[]).includes(state);
}

/** By the gateway, for review. */
export function isHeld({ state, cause }: { readonly state: RefundState; readonly cause: string | null }): boolean {
  return state === "unknown" && cause === "held";
}

export function hasGoneBack({ state }: { readonly state: RefundState }): boolean {
  return state === "returned";
}

/** All that is left of the newest charge, or any if asked. */
export function endsAccess(refund: {
  readonly isPaid: boolean;
  readonly isNewest: boolean;
  readonly isAllThatIsLeft: boolean;
  readonly isAskedTo: boolean;
}): boolean {
  return refund.isPaid && ((refund.isNewest && refund.isAllThatIsLeft) || refund.isAskedTo);
}

/** Two refunds of one part this close are one person clicking twice. */
export const doubleClickTime = 2 * MINUTE;

/** Of a first purchase; after it, nothing unless an administrator says why. */
export function policyUntil(first: { readonly paidAt: Date; readonly refundDays: number }): Date {
  return after(first.paidAt, first.refundDays * DAY);
}

/** Before money goes back. */
export interface ChargeState {
  readonly paidCents: number;
  readonly refundedCents: number;
  readonly settled: boolean;
  readonly withinPolicy: boolean;
}

/**
 * How to pay back `amountCents` of a charge: a void takes all of it back before it settles, a refund any part afterwards.
 * @throws Refusal conflict for what was refunded before, is more than is left, is a part of what has not settled, or is
 *   outside the policy without a reason.
 */
export function chooseReturn(charge: ChargeState, amountCents: number, reason: string | undefined): "void" | "refund" {
  const left = charge.paidCents - charge.refundedCents;
  if (left <= 0) throw new Refusal("conflict", "This payment was refunded before.");
  if (amountCents > left) throw new Refusal("conflict", "That is more than is left of this payment.");
  if (!charge.withinPolicy && !reason) {
    throw new Refusal("conflict", "The days for a refund are over. Say why it is refunded all the same.");
  }
  if (charge.settled) return "refund";
  if (amountCents < charge.paidCents) {
    throw notSettled();
  }
  return "void";
}

export function notSettled(): Refusal {
  return new Refusal("conflict", "A part can be refunded once the payment has settled, usually by tomorrow.");
}

export function noSuchRefund(): Refusal {
  return new Refusal("conflict", "There is no such refund any more.");
}

export function gatewayAway(): Refusal {
  return new Refusal("payment-unavailable", "The gateway does not answer. Nothing was changed; please try again.");
}
