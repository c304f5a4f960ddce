import type { grantEnds, grants } from "#server/access/tables.ts";
import type { auditLog } from "#server/audit/tables.ts";
import type { certificates } from "#server/certificates/tables.ts";
import type { checkAnswers } from "#server/checks/tables.ts";
import type { contactReplies, contacts } from "#server/contact/tables.ts";
import type { CouponRow, couponUses } from "#server/coupons/tables.ts";
import type { identities, users } from "#server/identity/tables.ts";
import type { jobs } from "#server/jobs/tables.ts";
import type { sentEmails } from "#server/mail/tables.ts";
import type { AttemptRow } from "#server/payments/tables.ts";
import type { courseProgress } from "#server/progress/tables.ts";
import type { PurchaseRow } from "#server/purchases/tables.ts";
import type { questionMarks, questionPosts } from "#server/questions/tables.ts";
import type { reconciliationRuns } from "#server/reconciliation/tables.ts";
import type { RefundRow } from "#server/refunds/tables.ts";
import type { resourceDownloads } from "#server/resources/tables.ts";
import type { SubscriptionState } from "#server/subscriptions/rules.ts";
import type { visitCounts } from "#server/visits/tables.ts";

export interface Card {
  readonly brand: string;
  readonly last4: string;
  /** "YYYY-MM" */
  readonly expiry: string;
  readonly zip: string;
}

// The gateway's ids are added when the ledger is imported.
export type PastPurchase = Omit<PurchaseRow, "transactionId">;
export type PastAttempt = Omit<AttemptRow, "transactionId" | "receiptNumber">;
export type PastRefund = Omit<RefundRow, "transactionId">;

export interface PastSubscription extends SubscriptionState {
  readonly id: string;
  readonly purchase: PastPurchase;
  readonly firstCharge: PastAttempt;
  readonly card: Card;
  /** False once the gateway has deleted the card. */
  isCardKept: boolean;
  lastAttemptAt: Date | null;
  unpaidToldFor: Date | null;
}

/** A transaction for `POST /sandbox/api/gateway/import`. */
export interface LedgerEntry {
  readonly refId: string;
  readonly at: string;
  readonly amountCents: number;
  readonly invoiceNumber: string;
  readonly description?: string;
  readonly result: "approved" | "declined" | "voided";
  readonly reasonCode?: string;
  readonly networkTransId?: string;
  readonly card?: Card;
  readonly customer?: {
    readonly id: string;
    readonly email: string;
    readonly firstName: string;
    readonly lastName: string;
  };
  readonly keepsCard?: boolean;
  readonly forgotten?: "card";
  /** The reference of the charge whose stored card it uses. */
  readonly keptBy?: string;
  /** The reference of the charge that it refunds. */
  readonly refundOf?: string;
}

export interface GatewayNumbers {
  readonly transId: string;
  readonly customerProfileId: string | null;
  readonly paymentProfileId: string | null;
}

export interface PastAccount {
  readonly subject: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly createdAt: Date;
  readonly emailVerifiedAt: Date | null;
  readonly lastSignInAt: Date;
}

export interface History {
  readonly users: readonly Omit<typeof users.$inferSelect, "searchText">[];
  readonly identities: readonly (typeof identities.$inferSelect)[];
  readonly accounts: readonly PastAccount[];
  readonly coupons: readonly CouponRow[];
  readonly couponUses: readonly (typeof couponUses.$inferSelect)[];
  readonly purchases: readonly PastPurchase[];
  readonly subscriptions: readonly PastSubscription[];
  readonly attempts: readonly PastAttempt[];
  readonly refunds: readonly PastRefund[];
  readonly grants: readonly (typeof grants.$inferSelect)[];
  readonly grantEnds: readonly (typeof grantEnds.$inferSelect)[];
  readonly emails: readonly (typeof sentEmails.$inferSelect)[];
  readonly progress: readonly (typeof courseProgress.$inferSelect)[];
  readonly answers: readonly (typeof checkAnswers.$inferSelect)[];
  readonly certificates: readonly (typeof certificates.$inferSelect)[];
  readonly questions: readonly Omit<typeof questionPosts.$inferSelect, "search">[];
  readonly questionMarks: readonly (typeof questionMarks.$inferSelect)[];
  readonly downloads: readonly (typeof resourceDownloads.$inferSelect)[];
  readonly contacts: readonly Omit<typeof contacts.$inferSelect, "searchText">[];
  readonly replies: readonly (typeof contactReplies.$inferSelect)[];
  readonly runs: readonly (typeof reconciliationRuns.$inferSelect)[];
  readonly audit: readonly (typeof auditLog.$inferSelect)[];
  readonly jobs: readonly (typeof jobs.$inferSelect)[];
  readonly visits: readonly (typeof visitCounts.$inferSelect)[];
  /** Oldest first. */
  readonly ledger: readonly LedgerEntry[];
}
