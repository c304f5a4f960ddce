import { eq, sql } from "drizzle-orm";
import { boolean, check, index, integer, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Tier } from "#contract/tiers.ts";
import { ofPlan } from "#server/catalogue/tables.ts";
import { cents, instant, isOneOf } from "#server/db/columns.ts";
import { ofUser } from "#server/identity/tables.ts";
import { paymentMethods } from "#server/payments/tables.ts";
import { ofPurchase, purchases } from "#server/purchases/tables.ts";
import { renewingStatuses, type SubscriptionStatus, statusesShownAs, subscriptionStatuses } from "./rules.ts";

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
    /** The agreed price of the next charge, which may differ from the plan's current one. */
    price: cents().notNull(),
    /** Charges at `price` until `laterPrice` is charged; 0 without one. The purchase's terms and charges determine all three. */
    discountedLeft: integer().notNull().default(0),
    laterPrice: cents(),
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
    /** Of the last hold by an administrator, also once it has ended. */
    heldAt: instant(),
    lastAttemptAt: instant(),
    /** The end of the paid period for which the student was notified of the unpaid renewal. */
    unpaidToldFor: instant(),
    createdAt: instant().notNull(),
  },
  (table) => [
    check("subscriptions_status", isOneOf(table.status, subscriptionStatuses)),
    check(
      "subscriptions_later_price",
      sql`(${table.laterPrice} is null) = (${table.discountedLeft} = 0) and ${table.discountedLeft} >= 0`,
    ),
    uniqueIndex("subscriptions_purchase_id_unique").on(table.purchaseId),
    index("subscriptions_user_id").on(table.userId),
    index("subscriptions_payment_method_id").on(table.paymentMethodId),
    index("subscriptions_next_charge_at").on(table.nextChargeAt).where(sql`${table.nextChargeAt} is not null`),
  ],
);

const { status } = subscriptions;

/** Purchases with the fields of the specification, for who reads the database. The code reads the tables. @internal */
export const purchasesWithSubscriptions = snakeCase.view("purchases_with_subscriptions").as((db) =>
  db
    .select({
      id: purchases.id,
      userId: purchases.userId,
      tier: purchases.tier,
      amount: purchases.amount,
      transactionId: purchases.transactionId,
      status: purchases.status,
      subscriptionId: sql`${subscriptions.id}`.as("subscription_id"),
      isRecurring: sql`${subscriptions.id} is not null`.as("is_recurring"),
      nextBillingDate: sql`${subscriptions.nextChargeAt}`.as("next_billing_date"),
      subscriptionStatus: sql`case
        when ${subscriptions.id} is null or ${isOneOf(status, renewingStatuses)} then 'active'
        when ${isOneOf(status, statusesShownAs.cancelled)} then 'cancelled' else 'on_hold' end`.as(
        "subscription_status",
      ),
      paymentDeclined: sql`coalesce(${isOneOf(status, statusesShownAs.declined)}, false)`.as("payment_declined"),
      lastPaymentAttempt: sql`coalesce(${subscriptions.lastAttemptAt}, ${purchases.lastPaymentAttempt})`.as(
        "last_payment_attempt",
      ),
      createdAt: purchases.createdAt,
    })
    .from(purchases)
    .leftJoin(subscriptions, eq(subscriptions.purchaseId, purchases.id)),
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
