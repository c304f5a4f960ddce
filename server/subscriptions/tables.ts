import { sql } from "drizzle-orm";
import { boolean, check, index, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Tier } from "#contract/tiers.ts";
import { ofPlan } from "#server/catalogue/tables.ts";
import { cents, instant, isOneOf } from "#server/db/columns.ts";
import { ofUser } from "#server/identity/tables.ts";
import { paymentMethods } from "#server/payments/tables.ts";
import { ofPurchase } from "#server/purchases/tables.ts";
import { type SubscriptionStatus, subscriptionStatuses } from "./rules.ts";

export const subscriptions = snakeCase.table(
  "subscriptions",
  {
    id: text().primaryKey(),
    purchaseId: ofPurchase(),
    userId: ofUser(),
    planId: ofPlan(),
    tier: text().$type<Tier>().notNull(),
    /** When its purchase was completed, and whether it is in effect. Database triggers copy both. */
    begunAt: instant(),
    isPaid: boolean().notNull().default(false),
    /** The agreed price, which may differ from the plan's current one. */
    price: cents().notNull(),
    paymentMethodId: text()
      .notNull()
      .references(() => paymentMethods.id),
    status: text().$type<SubscriptionStatus>().notNull(),
    currentPeriodStart: instant().notNull(),
    currentPeriodEnd: instant().notNull(),
    nextChargeAt: instant(),
    graceFrom: instant(),
    dunningSince: instant(),
    reopenedUntil: instant(),
    declinedForGood: boolean().notNull().default(false),
    cancelledAt: instant(),
    lastAttemptAt: instant(),
    /** The end of the paid period for which the student was notified of the unpaid renewal. */
    unpaidToldFor: instant(),
    createdAt: instant().notNull(),
  },
  (table) => [
    check("subscriptions_status", isOneOf(table.status, subscriptionStatuses)),
    uniqueIndex("subscriptions_purchase_id_unique").on(table.purchaseId),
    index("subscriptions_user_id").on(table.userId),
    index("subscriptions_payment_method_id").on(table.paymentMethodId),
    index("subscriptions_next_charge_at").on(table.nextChargeAt).where(sql`${table.nextChargeAt} is not null`),
  ],
);

/** Links to a subscription's card page without sign-in. Stores only a hash of the token. */
export const cardLinks = snakeCase.table(
  "card_links",
  {
    tokenHash: text().primaryKey(),
    purchaseId: ofPurchase(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
    createdAt: instant().notNull(),
  },
  (table) => [index("card_links_purchase_id").on(table.purchaseId), index("card_links_expires_at").on(table.expiresAt)],
);

/** Copies what a purchase says to its subscription and to `countedCharges`. @internal */
export const addedByMigrations = [
  "function copy_purchase",
  "function follow_purchase",
  "trigger purchases.follow_purchase",
  "trigger subscriptions.copy_purchase",
];
