import { sql } from "drizzle-orm";
import { boolean, index, json, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Tier } from "#contract/tiers.ts";
import { plans } from "#server/catalogue/tables.ts";
import { cents, id, instant } from "#server/db/columns.ts";
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
    nextBillingDate: instant(),
    subscriptionStatus: text().notNull().default("active"),
    paymentDeclined: boolean().notNull().default(false),
    lastPaymentAttempt: instant(),
    /** The end of what is paid; a renewal goes on from here. Null for what does not renew. */
    paidUntil: instant(),
    /** From when the course is kept open while it is renewed: the end of what is paid, or later, where somebody let it count anew. */
    graceFrom: instant(),
    /** When the renewal that is due was refused first, for whatever reason; the retries and the hold are counted from it. */
    declinedSince: instant(),
    /** The card can never be charged again: it is not tried again. */
    declinedForGood: boolean().notNull().default(false),
    /** The end of what is paid, once the student was told that nothing was paid for a week after it. */
    unpaidToldFor: instant(),
    /** The card kept at the gateway for renewals; never shown. */
    customerProfileId: text(),
    paymentProfileId: text(),
    networkTransactionId: text(),
    /** What its owner may be shown of that card. */
    cardBrand: text(),
    cardLast4: text(),
    /** The renewal text that the buyer ticked: version, time, address it came from. */
    consent: json().$type<{ version: string; at: string; address: string }>(),
    completedAt: instant(),
    createdAt: instant().notNull(),
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
