import { sql } from "drizzle-orm";
import { check, foreignKey, index, integer, json, jsonb, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { CoachingPromise } from "#contract/coaching/promise.ts";
import type { Tier } from "#contract/tiers.ts";
import { ofPlan } from "#server/catalogue/tables.ts";
import { couponUses } from "#server/coupons/tables.ts";
import { cents, id, instant, isOneOf } from "#server/db/columns.ts";
import { ofUser } from "#server/identity/tables.ts";
import type { Credit, QuoteBasis } from "./quotes/rules.ts";
import { type PurchaseStatus, purchaseStatuses } from "./rules.ts";

export const purchases = snakeCase.table(
  "purchases",
  {
    id: id(),
    userId: ofUser(),
    planId: ofPlan(),
    tier: text().$type<Tier>().notNull(),
    /** Of the first charge. With the credit and the discount it is the plan's price. */
    amount: cents().notNull(),
    /** Of what was paid before and is replaced. */
    credit: cents().notNull().default(0),
    /** More than `credit` where a rest was not paid out. */
    creditFrom: jsonb().$type<readonly Credit[]>().notNull().default([]),
    /** Of the coupon, on the first charge alone. */
    discount: cents().notNull().default(0),
    couponCode: text(),
    /** What was agreed to for each period after the first. Null: the same as the first, or nothing renews. */
    renewalAmount: cents(),
    /** One purchase that pays, or may, for each quote. */
    quoteId: text(),
    transactionId: text(),
    status: text().$type<PurchaseStatus>().notNull().default("pending"),
    /** For the student, when the payment did not go through. */
    statusMessage: text(),
    lastPaymentAttempt: instant(),
    /** What the buyer ticked: version of the text, time, address it came from. */
    consent: json().$type<{ version: string; at: string; address: string }>(),
    /** Null: bought before plans promised coaching. */
    coaching: json().$type<CoachingPromise>(),
    /** How long it is refunded if it is the first; as was promised when it was bought. */
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
    foreignKey({
      name: "purchases_coupon_use_fkey",
      columns: [table.couponCode, table.userId],
      foreignColumns: [couponUses.couponCode, couponUses.userId],
    }),
    index("purchases_coupon_code").on(table.couponCode).where(sql`${table.couponCode} is not null`),
    index("purchases_user_id").on(table.userId, table.createdAt),
    // Counts those who bought something without reading every purchase.
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

/** It stands for fifteen minutes, unless what it was made from changes. */
export const quotes = snakeCase.table(
  "quotes",
  {
    id: id(),
    userId: ofUser(),
    planId: ofPlan(),
    basis: json().$type<QuoteBasis>().notNull(),
    total: cents().notNull(),
    expiresAt: instant().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [index("quotes_expires_at").on(table.expiresAt), index("quotes_user_id").on(table.userId)],
);

export type QuoteRow = typeof quotes.$inferSelect;
