import { sql } from "drizzle-orm";
import { check, index, json, jsonb, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { CoachingPromise } from "#contract/coaching/promise.ts";
import type { Tier } from "#contract/tiers.ts";
import { plans } from "#server/catalogue/tables.ts";
import { cents, id, instant, isOneOf } from "#server/db/columns.ts";
import { users } from "#server/identity/tables.ts";
import type { Credit, QuoteBasis } from "./quotes/rules.ts";
import { type PurchaseStatus, purchaseStatuses } from "./rules.ts";

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
    /** Of the first charge. With the credit and the discount it is the plan's price. */
    amount: cents().notNull(),
    /** Of what was paid before and is replaced. */
    credit: cents().notNull().default(0),
    /** More than `credit` where a rest was not paid out. */
    creditFrom: jsonb().$type<readonly Credit[]>().notNull().default([]),
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
    completedAt: instant(),
    createdAt: instant().notNull(),
  },
  (table) => [
    check("purchases_status", isOneOf(table.status, purchaseStatuses)),
    index("purchases_user_id").on(table.userId, table.createdAt),
    index("purchases_created_at").on(table.createdAt, table.id),
    uniqueIndex("purchases_transaction_id_unique").on(table.transactionId),
    uniqueIndex("purchases_quote_id_unique")
      .on(table.quoteId)
      .where(sql`${table.status} in ('pending', 'completed', 'refunded')`),
  ],
);

export type PurchaseRow = typeof purchases.$inferSelect;

/** It stands for fifteen minutes, unless what it was made from changes. */
export const quotes = snakeCase.table(
  "quotes",
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id),
    planId: text()
      .notNull()
      .references(() => plans.id),
    basis: json().$type<QuoteBasis>().notNull(),
    total: cents().notNull(),
    expiresAt: instant().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [index("quotes_expires_at").on(table.expiresAt), index("quotes_user_id").on(table.userId)],
);

export type QuoteRow = typeof quotes.$inferSelect;
