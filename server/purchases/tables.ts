import { isNotNull, sql } from "drizzle-orm";
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  json,
  jsonb,
  snakeCase,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { CoachingPromise } from "#contract/coaching/promise.ts";
import type { Tier } from "#contract/tiers.ts";
import { ofPlan } from "#server/catalogue/tables.ts";
import { couponUses } from "#server/coupons/tables.ts";
import { cents, id, instant, isOneOf } from "#server/db/columns.ts";
import { ofUser } from "#server/identity/tables.ts";
import type { Credit } from "./quotes/rules.ts";
import { type PurchaseStatus, purchaseStatuses } from "./rules.ts";

export const purchases = snakeCase.table(
  "purchases",
  {
    id: id(),
    userId: ofUser(),
    /** `hashMailbox` of the address that the student had confirmed. Null until there is one. */
    addressHash: text(),
    planId: ofPlan(),
    tier: text().$type<Tier>().notNull(),
    /** The first charge. Credit and discount added, it is the plan's price. */
    amount: cents().notNull(),
    /** For earlier payments that this purchase replaces. */
    credit: cents().notNull().default(0),
    /** Sums to more than `credit` where a rest was not paid out. */
    creditFrom: jsonb().$type<readonly Credit[]>().notNull().default([]),
    /** The coupon's discount on the first charge, and on `discountedRenewals`. */
    discount: cents().notNull().default(0),
    couponCode: text(),
    /**
     * The agreed price of each period after the first, until `laterAmount`. Null: the same as the first, or nothing
     * renews.
     */
    renewalAmount: cents(),
    /** How many renewals a coupon discounts too. */
    discountedRenewals: integer().notNull().default(0),
    /** The agreed price after the discounted renewals. Null: without those. */
    laterAmount: cents(),
    /** At most one paid or pending purchase for each quote. */
    quoteId: text(),
    transactionId: text(),
    status: text().$type<PurchaseStatus>().notNull().default("pending"),
    /**
     * Where a refund decided otherwise than the status says. False: it ended the access, while a charge is kept. True:
     * all charges went back, and the access was kept. Null: it gives access while it is completed.
     */
    givesAccess: boolean(),
    /** The message to the student when the payment failed. */
    statusMessage: text(),
    lastPaymentAttempt: instant(),
    /** The buyer's consent: version of the text, time, network address. */
    consent: json().$type<{ version: string; at: string; address: string }>(),
    /** What the plan included when it was bought. */
    coaching: json().$type<CoachingPromise>().notNull(),
    /** The refund period of a first purchase, as promised when it was bought. */
    refundDays: integer().notNull().default(7),
    completedAt: instant(),
    createdAt: instant().notNull(),
  },
  (table) => [
    check("purchases_status", isOneOf(table.status, purchaseStatuses)),
    check(
      "purchases_discount",
      sql`case when ${table.couponCode} is null then ${table.discount} = 0 else ${table.discount} > 0 end`,
    ),
    check(
      "purchases_later_amount",
      sql`case when ${table.laterAmount} is null then ${table.discountedRenewals} = 0
        else ${table.discountedRenewals} > 0 and ${table.renewalAmount} < ${table.laterAmount} end`,
    ),
    foreignKey({
      name: "purchases_coupon_use_fkey",
      columns: [table.couponCode, table.userId],
      foreignColumns: [couponUses.couponCode, couponUses.userId],
    }),
    index("purchases_coupon_code").on(table.couponCode).where(sql`${table.couponCode} is not null`),
    index("purchases_address_hash").on(table.addressHash).where(isNotNull(table.addressHash)),
    index("purchases_user_id").on(table.userId, table.createdAt),
    // Counts buyers without reading every purchase.
    index("purchases_completed_user_id").on(table.userId).where(sql`${table.status} = 'completed'`),
    index("purchases_completed_at").on(table.completedAt),
    index("purchases_created_at").on(table.createdAt, table.id),
    index("purchases_amount").on(table.amount, table.id),
    uniqueIndex("purchases_transaction_id_unique").on(table.transactionId),
    uniqueIndex("purchases_quote_id_unique")
      .on(table.quoteId)
      .where(sql`${table.status} in ('pending', 'completed', 'refunded')`),
  ],
);

export const ofPurchase = () =>
  text()
    .notNull()
    .references(() => purchases.id);

export type PurchaseRow = typeof purchases.$inferSelect;

/** Valid until `expiresAt`, unless its basis changes. */
export const quotes = snakeCase.table(
  "quotes",
  {
    id: id(),
    userId: ofUser(),
    planId: ofPlan(),
    /** A `QuoteBasis`, perhaps of another release. */
    basis: json().$type<unknown>().notNull(),
    total: cents().notNull(),
    expiresAt: instant().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [index("quotes_expires_at").on(table.expiresAt), index("quotes_user_id").on(table.userId)],
);
