import { sql } from "drizzle-orm";
import { boolean, index, json, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Tier } from "#contract/tiers.ts";
import { plans } from "#server/catalogue/tables.ts";
import { cents, id, moment } from "#server/db/columns.ts";
import type { CardOutcome, FailureCause } from "#server/gateway/gateway.ts";
import { users } from "#server/identity/tables.ts";

export const purchases = snakeCase.table(
  "purchases",
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id),
    planId: text()
      .notNull()
      .references(() => plans.id),
    tier: text().$type<Tier>().notNull(),
    amount: cents().notNull(),
    transactionId: text(),
    status: text().$type<PurchaseStatus>().notNull().default("pending"),
    /** For the student, when the payment did not go through. */
    statusMessage: text(),
    subscriptionId: text(),
    isRecurring: boolean().notNull().default(false),
    nextBillingDate: moment(),
    subscriptionStatus: text().notNull().default("active"),
    paymentDeclined: boolean().notNull().default(false),
    lastPaymentAttempt: moment(),
    /** The end of what is paid; a renewal goes on from here. Null for what does not renew. */
    paidUntil: moment(),
    /** From when the course is kept open while it is renewed: the end of what is paid, or later, where somebody let it count anew. */
    graceFrom: moment(),
    /** When the renewal that is due was refused first, for whatever reason; the retries and the hold are counted from it. */
    declinedSince: moment(),
    /** The card can never be charged again: it is not tried again. */
    declinedForGood: boolean().notNull().default(false),
    /** The end of what is paid, once the student was told that nothing was paid for a week after it. */
    unpaidToldFor: moment(),
    /** The card kept at the gateway for renewals; never shown. */
    customerProfileId: text(),
    paymentProfileId: text(),
    networkTransactionId: text(),
    /** What its owner may be shown of that card. */
    cardBrand: text(),
    cardLast4: text(),
    /** The renewal text that the buyer ticked: version, time, address it came from. */
    consent: json().$type<{ version: string; at: string; address: string }>(),
    completedAt: moment(),
    createdAt: moment().notNull(),
  },
  (table) => [
    index("purchases_user_id").on(table.userId, table.createdAt),
    index("purchases_created_at").on(table.createdAt, table.id),
    index("purchases_next_billing_date").on(table.nextBillingDate).where(sql`${table.nextBillingDate} is not null`),
    uniqueIndex("purchases_transaction_id_unique").on(table.transactionId),
    uniqueIndex("purchases_subscription_id_unique").on(table.subscriptionId),
  ],
);

export type PurchaseRow = typeof purchases.$inferSelect;

export type PurchaseStatus = "pending" | "completed" | "declined" | "failed" | "refunded";

/** One try at moving money. It is committed as sent before the gateway is called and resolved after it. */
export const paymentAttempts = snakeCase.table(
  "payment_attempts",
  {
    id: id(),
    purchaseId: text()
      .notNull()
      .references(() => purchases.id),
    userId: text()
      .notNull()
      .references(() => users.id),
    kind: text().$type<AttemptKind>().notNull(),
    /** For a renewal the end of the paid period that it goes on from: one approved charge for each. */
    renewsFrom: moment(),
    /** What tells a submission from another: the hash of its card token, or the renewal and its try. */
    idempotencyKey: text().notNull(),
    reference: text().notNull(),
    invoiceNumber: text().notNull(),
    amount: cents().notNull(),
    state: text().$type<AttemptState>().notNull(),
    /** A stored card that is charged in place of the one that renewals were charged to; approved, it becomes that one. */
    paymentProfileId: text(),
    transactionId: text(),
    /** Why the money did not move; `duplicate`: the gateway says that it has the charge already. */
    cause: text().$type<FailureCause | "duplicate">(),
    responseCode: text(),
    reasonCode: text(),
    avs: text(),
    cvv: text(),
    last4: text(),
    brand: text(),
    /** Hash of the network address it came from: enough to count by. */
    clientHash: text(),
    /** Why the outcome is what it is, for the log and the administrator. */
    note: text(),
    sentAt: moment().notNull(),
    resolvedAt: moment(),
    /** When the gateway was last asked what became of an approved charge. */
    checkedAt: moment(),
  },
  (table) => [
    index("payment_attempts_purchase_id").on(table.purchaseId),
    uniqueIndex("payment_attempts_idempotency_key_unique").on(table.idempotencyKey),
    uniqueIndex("payment_attempts_reference_unique").on(table.reference),
    uniqueIndex("payment_attempts_transaction_id_unique").on(table.transactionId),
    // All that revenue is added up from.
    index("payment_attempts_approved")
      .on(table.resolvedAt, table.purchaseId, table.amount)
      .where(sql`${table.state} = 'approved'`),
    // Which approved charges are looked at again next.
    index("payment_attempts_recheck")
      .on(sql`coalesce(${table.checkedAt}, ${table.resolvedAt})`)
      .where(sql`${table.state} = 'approved'`),
    index("payment_attempts_declined").on(table.sentAt).where(sql`${table.state} = 'declined'`),
    uniqueIndex("payment_attempts_one_open").on(table.userId).where(sql`${table.state} in ('sent', 'unknown', 'held')`),
    uniqueIndex("payment_attempts_one_per_period")
      .on(table.purchaseId, table.renewsFrom)
      .where(sql`${table.state} in ('sent', 'unknown', 'held', 'approved')`),
  ],
);

export type AttemptRow = typeof paymentAttempts.$inferSelect;

export type AttemptKind = "initial" | "renewal";

/** `sent`, `unknown` and `held` are open: the student cannot pay again until they are resolved. */
export type AttemptState = "sent" | "unknown" | "held" | "approved" | "declined" | "not-processed";

/** A card that a student gave while nothing was due: the gateway tries it at the bank without moving money. */
export const cardValidations = snakeCase.table(
  "card_validations",
  {
    id: id(),
    purchaseId: text()
      .notNull()
      .references(() => purchases.id),
    userId: text()
      .notNull()
      .references(() => users.id),
    state: text().$type<"sent" | CardOutcome["kind"]>().notNull(),
    /** Hash of the card's token, which is good for one use. */
    tokenHash: text().notNull(),
    /** Hash of the network address it came from: enough to count by. */
    clientHash: text(),
    reasonCode: text(),
    sentAt: moment().notNull(),
    resolvedAt: moment(),
  },
  (table) => [
    uniqueIndex("card_validations_token_hash_unique").on(table.tokenHash),
    index("card_validations_sent_at").on(table.sentAt),
  ],
);

export type CardValidationRow = typeof cardValidations.$inferSelect;

/** Money that went back, or was meant to. Committed as sent before the gateway is called, like a charge. */
export const refunds = snakeCase.table(
  "refunds",
  {
    id: id(),
    purchaseId: text()
      .notNull()
      .references(() => purchases.id),
    /** The charge that is paid back. */
    attemptId: text()
      .notNull()
      .references(() => paymentAttempts.id),
    userId: text()
      .notNull()
      .references(() => users.id),
    /** A void takes back what has not settled, whole; a refund pays back what has. */
    kind: text().$type<"void" | "refund">().notNull(),
    amount: cents().notNull(),
    endsAccess: boolean().notNull(),
    reference: text().notNull(),
    /** Kept by the next try while nobody knows what became of one, so that the gateway knows it for a duplicate. */
    invoiceNumber: text(),
    state: text().$type<RefundState>().notNull(),
    /** Why the money did not go back; `duplicate`: the gateway says that it has the refund already. */
    cause: text().$type<FailureCause | "duplicate">(),
    transactionId: text(),
    /** The administrator's user id. */
    actor: text().notNull(),
    reason: text(),
    /** Why the outcome is what it is. */
    note: text(),
    sentAt: moment().notNull(),
    resolvedAt: moment(),
    /** When the gateway was last asked what became of it. */
    checkedAt: moment(),
  },
  (table) => [
    index("refunds_purchase_id").on(table.purchaseId),
    index("refunds_transaction_id").on(table.transactionId),
    uniqueIndex("refunds_reference_unique").on(table.reference),
    uniqueIndex("refunds_one_open").on(table.attemptId).where(sql`${table.state} in ('sent', 'unknown')`),
  ],
);

export type RefundState = "sent" | "unknown" | "returned" | "refused";

/** A link in a mail that opens one membership's card page without sign-in. Only the hash of what it carries is kept. */
export const cardLinks = snakeCase.table(
  "card_links",
  {
    tokenHash: text().primaryKey(),
    purchaseId: text()
      .notNull()
      .references(() => purchases.id),
    expiresAt: moment().notNull(),
    usedAt: moment(),
    createdAt: moment().notNull(),
  },
  (table) => [index("card_links_purchase_id").on(table.purchaseId)],
);

/** Every letter to a student, by a key that names its occasion: none goes out twice. Holds no address and no text. */
export const letters = snakeCase.table(
  "letters",
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id),
    kind: text().notNull(),
    subject: text().notNull(),
    sentAt: moment().notNull(),
  },
  (table) => [index("letters_user_id").on(table.userId, table.sentAt)],
);
