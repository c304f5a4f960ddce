import type { AttemptState } from "#server/payments/attempts.ts";
import type { PurchaseStatus } from "#server/purchases/purchases.ts";

export interface RecordedCharge {
  readonly attemptId: string;
  readonly purchaseId: string;
  readonly userId: string;
  readonly state: AttemptState;
  readonly purchaseStatus: PurchaseStatus;
  readonly transactionId: string | null;
  readonly invoiceNumber: string;
  readonly amountCents: number;
  readonly resolvedAt: Date | null;
  /** Refunds and voids that were made, or may have been. */
  readonly returns: readonly RecordedReturn[];
}

/** A refund or void that is recorded as made, or without a known outcome. */
export interface RecordedReturn {
  readonly refundId: string;
  readonly kind: "void" | "refund";
  readonly state: "sent" | "unknown" | "returned";
  readonly amountCents: number;
  readonly transactionId: string | null;
  /** As sent to the gateway. */
  readonly invoiceNumber: string;
  readonly sentAt: Date;
}

export interface RecheckWindow {
  readonly madeSince: Date;
  readonly checkedBefore: Date;
}
