import type { grantEnds, grants } from "#server/access/tables.ts";
import type { auditLog } from "#server/audit/tables.ts";
import type { contactReplies, contacts } from "#server/contact/tables.ts";
import type { CouponRow, couponUses } from "#server/coupons/tables.ts";
import type { discrepancies } from "#server/discrepancies/tables.ts";
import type { identities, users } from "#server/identity/tables.ts";
import type { jobs } from "#server/jobs/tables.ts";
import type { sentEmails } from "#server/mail/tables.ts";
import type { AttemptRow } from "#server/payments/tables.ts";
import type { courseProgress } from "#server/progress/tables.ts";
import type { PurchaseRow } from "#server/purchases/tables.ts";
import type { reconciliationRuns } from "#server/reconciliation/tables.ts";
import type { refunds } from "#server/refunds/tables.ts";
import type { resourceDownloads } from "#server/resources/tables.ts";
import type { cardLinks } from "#server/subscriptions/tables.ts";
import type { visitCounts } from "#server/visits/tables.ts";

/** The subscription of a purchase, from which `server/demo/subscriptions.ts` makes rows. */
interface PastRenewal {
  subscriptionId: string | null;
  isRecurring: boolean;
  subscriptionStatus: "active" | "on_hold" | "cancelled";
  paymentDeclined: boolean;
  nextBillingDate: Date | null;
  paidUntil: Date | null;
  graceFrom: Date | null;
  declinedSince: Date | null;
  declinedForGood: boolean;
  reopenedUntil: Date | null;
  cancelledAt: Date | null;
  unpaidToldFor: Date | null;
  networkTransactionId: string | null;
  cardBrand: string | null;
  cardLast4: string | null;
}

/** A purchase; the gateway's ids are represented by the reference of the charge that creates them. */
export interface PastPurchase extends Omit<PurchaseRow, "transactionId">, PastRenewal {
  paidBy: string | null;
  cardKeptBy: string | null;
  /** False once the gateway has deleted the card. */
  isCardKept: boolean;
}

export interface PastAttempt extends Omit<AttemptRow, "transactionId" | "paymentProfileId"> {
  /** Charged to a new card, which is stored. */
  keepsCard: boolean;
}

export type PastRefund = Omit<typeof refunds.$inferSelect, "transactionId"> & {
  readonly madeBy: string;
};

export type PastDiscrepancy = Omit<typeof discrepancies.$inferSelect, "transactionId" | "key"> & {
  readonly chargedBy: string;
};

/** A transaction for `POST /sandbox/api/gateway/import`. */
export interface LedgerEntry {
  readonly refId: string;
  readonly at: string;
  readonly amountCents: number;
  readonly invoiceNumber: string;
  readonly description?: string;
  readonly result: "approved" | "declined" | "voided" | "chargeback";
  readonly reasonCode?: string;
  readonly networkTransId?: string;
  readonly card?: { readonly brand: string; readonly last4: string; readonly expiry: string; readonly zip: string };
  readonly customer?: {
    readonly id: string;
    readonly email: string;
    readonly firstName: string;
    readonly lastName: string;
  };
  readonly keepsCard?: boolean;
  readonly forgotten?: "card" | "customer";
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
  readonly attempts: readonly PastAttempt[];
  readonly refunds: readonly PastRefund[];
  readonly grants: readonly (typeof grants.$inferSelect)[];
  readonly grantEnds: readonly (typeof grantEnds.$inferSelect)[];
  readonly emails: readonly (typeof sentEmails.$inferSelect)[];
  readonly cardLinks: readonly (typeof cardLinks.$inferSelect)[];
  readonly progress: readonly (typeof courseProgress.$inferSelect)[];
  readonly downloads: readonly (typeof resourceDownloads.$inferSelect)[];
  /** Downloads of each resource, also by deleted accounts. */
  readonly downloadCounts: ReadonlyMap<string, number>;
  readonly contacts: readonly Omit<typeof contacts.$inferSelect, "searchText">[];
  readonly replies: readonly (typeof contactReplies.$inferSelect)[];
  readonly discrepancies: readonly PastDiscrepancy[];
  readonly runs: readonly (typeof reconciliationRuns.$inferSelect)[];
  readonly audit: readonly (typeof auditLog.$inferSelect)[];
  readonly jobs: readonly (typeof jobs.$inferSelect)[];
  readonly visits: readonly (typeof visitCounts.$inferSelect)[];
  /** Oldest first. */
  readonly ledger: readonly LedgerEntry[];
}
