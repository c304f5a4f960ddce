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
  /** Of money that went back, or may have. */
  readonly returns: readonly RecordedReturn[];
}

/** Made by our books, or with an outcome that we do not know yet. */
export interface RecordedReturn {
  readonly refundId: string;
  readonly kind: "void" | "refund";
  readonly state: "sent" | "unknown" | "returned";
  readonly amountCents: number;
  readonly transactionId: string | null;
  /** As the gateway has it. */
  readonly invoiceNumber: string;
  readonly sentAt: Date;
}

export interface RecheckWindow {
  readonly madeSince: Date;
  readonly checkedBefore: Date;
}
