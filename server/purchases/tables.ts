import { sql } from "drizzle-orm";
import { boolean, index, json, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Tier } from "#contract/tiers.ts";
import { plans } from "#server/catalogue/tables.ts";
import { cents, id, moment } from "#server/db/columns.ts";
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
    /** The card kept at the gateway for renewals; never shown. */
    customerProfileId: text(),
    paymentProfileId: text(),
    networkTransactionId: text(),
    /** The renewal text that the buyer ticked: version, time, address it came from. */
    consent: json().$type<{ version: string; at: string; address: string }>(),
    completedAt: moment(),
    createdAt: moment().notNull(),
  },
  (table) => [
    index("purchases_user_id").on(table.userId, table.createdAt),
    uniqueIndex("purchases_transaction_id_unique").on(table.transactionId),
    uniqueIndex("purchases_subscription_id_unique").on(table.subscriptionId),
  ],
);

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
    kind: text().$type<"initial">().notNull(),
    /** Hash of student and card token: the same submission finds the same attempt. */
    idempotencyKey: text().notNull(),
    reference: text().notNull(),
    invoiceNumber: text().notNull(),
    amount: cents().notNull(),
    state: text().$type<AttemptState>().notNull(),
    transactionId: text(),
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
  },
  (table) => [
    index("payment_attempts_purchase_id").on(table.purchaseId),
    uniqueIndex("payment_attempts_idempotency_key_unique").on(table.idempotencyKey),
    uniqueIndex("payment_attempts_reference_unique").on(table.reference),
    uniqueIndex("payment_attempts_transaction_id_unique").on(table.transactionId),
    index("payment_attempts_declined").on(table.sentAt).where(sql`${table.state} = 'declined'`),
    uniqueIndex("payment_attempts_one_open").on(table.userId).where(sql`${table.state} in ('sent', 'unknown', 'held')`),
  ],
);

/** `sent`, `unknown` and `held` are open: the student cannot pay again until they are resolved. */
export type AttemptState = "sent" | "unknown" | "held" | "approved" | "declined" | "not-processed";
