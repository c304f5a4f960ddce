import { MINUTE } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";

export const refundKinds = ["void", "refund"] as const;
export type RefundKind = (typeof refundKinds)[number];

export const refundStates = ["sent", "unknown", "returned", "refused"] as const;
export type RefundState = (typeof refundStates)[number];

export const openRefundStates = ["sent", "unknown"] as const satisfies readonly RefundState[];

export function isOpenRefund({ state }: { readonly state: RefundState }): boolean {
  return (openRefundStates as readonly RefundState[]).includes(state);
}

/** Whether the gateway holds the refund for review. */
export function isHeld({ state, cause }: { readonly state: RefundState; readonly cause: string | null }): boolean {
  return state === "unknown" && cause === "held";
}

export function hasGoneBack({ state }: { readonly state: RefundState }): boolean {
  return state === "returned";
}

/**
 * Whether a refund ends access: one of all that is left of the newest charge does, unless access is kept, and others
 * only if asked to.
 */
export function endsAccess(refund: {
  readonly isInEffect: boolean;
  readonly isNewest: boolean;
  readonly isAllThatIsLeft: boolean;
  readonly isAskedTo?: boolean;
}): boolean {
  const { isInEffect, isNewest, isAllThatIsLeft, isAskedTo = false } = refund;
  return isInEffect && ((isNewest && isAllThatIsLeft) || isAskedTo);
}

/**
 * Null: access is not to be kept. Otherwise until `paidEnd`, the end of what a purchase has paid for where its refund
 * would end the access.
 * @throws Refusal conflict when that is not the end that the administrator was shown.
 */
export function keptUntil(shown: Date | undefined, paidEnd: Date | null): Date | null {
  if (shown === undefined) return null;
  if (shown.getTime() === paidEnd?.getTime()) return paidEnd;
  throw new Refusal("conflict", "Access can no longer continue until that date. Check the refund again.");
}

/** Two refunds of the same part within this time are a double click. */
export const doubleClickTime = 2 * MINUTE;

export interface ChargeState {
  readonly paidCents: number;
  readonly refundedCents: number;
  readonly settled: boolean;
  readonly withinPolicy: boolean;
}

/**
 * Chooses a void for all of an unsettled charge, or a refund for any part of a settled one.
 * @throws Refusal conflict for a charge that is refunded already, more than is left, a part of an unsettled charge,
 * or outside the policy without a reason.
 */
export function chooseReturn(charge: ChargeState, amountCents: number, reason: string | undefined): "void" | "refund" {
  const left = charge.paidCents - charge.refundedCents;
  if (left <= 0) throw new Refusal("conflict", "This payment has already been refunded.");
  if (amountCents > left) throw new Refusal("conflict", "That’s more than what’s left of this payment.");
  if (!charge.withinPolicy && !reason) {
    throw new Refusal("conflict", "The refund period is over. Enter a reason for the refund.");
  }
  if (charge.settled) return "refund";
  if (amountCents < charge.paidCents) {
    throw notSettled();
  }
  return "void";
}

export function notSettled(): Refusal {
  return new Refusal("conflict", "You can make a partial refund once the payment has settled, usually by tomorrow.");
}

export function noSuchRefund(): Refusal {
  return new Refusal("conflict", "We couldn't find this refund.");
}

export function gatewayAway(): Refusal {
  return new Refusal("payment-unavailable", "The gateway isn’t answering. Nothing was changed. Try again.");
}
