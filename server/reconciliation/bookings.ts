import type { AttemptState } from "#server/payments/attempts.ts";
import type { PurchaseStatus } from "#server/purchases/purchases.ts";

/** What our books say of attempts, for comparing them with the gateway's. */
export interface Booking {
  readonly attemptId: string;
  readonly purchaseId: string;
  readonly userId: string;
  readonly state: AttemptState;
  readonly purchaseStatus: PurchaseStatus;
  readonly transactionId: string | null;
  readonly invoiceNumber: string;
  readonly amountCents: number;
  readonly resolvedAt: Date | null;
  /** What went back of it, or may have. */
  readonly returns: readonly BookedReturn[];
}

/** A refund that was made by our books, or whose outcome we do not know yet. */
export interface BookedReturn {
  readonly refundId: string;
  readonly kind: "void" | "refund";
  readonly state: "sent" | "unknown" | "returned";
  readonly amountCents: number;
  readonly transactionId: string | null;
  /** What the gateway has as its invoice. */
  readonly invoiceNumber: string;
  readonly sentAt: Date;
}

/** What is compared again: made since an instant, and not asked about since another one. */
export interface RecheckWindow {
  readonly madeSince: Date;
  readonly checkedBefore: Date;
}
