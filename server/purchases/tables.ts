import { check, index, json, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { CoachingPromise } from "#contract/coaching/promise.ts";
import type { Tier } from "#contract/tiers.ts";
import { plans } from "#server/catalogue/tables.ts";
import { cents, id, instant, isOneOf } from "#server/db/columns.ts";
import { users } from "#server/identity/tables.ts";
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
    amount: cents().notNull(),
    transactionId: text(),
    status: text().$type<PurchaseStatus>().notNull().default("pending"),
    /** For the student, when the payment did not go through. */
    statusMessage: text(),
    lastPaymentAttempt: instant(),
    /** The renewal text that the buyer ticked: version, time, address it came from. */
    consent: json().$type<{ version: string; at: string; address: string }>(),
    /** What the plan promised of 1-on-1 coaching when it was paid; null: bought before plans said it. */
    coaching: json().$type<CoachingPromise>(),
    completedAt: instant(),
    createdAt: instant().notNull(),
  },
  (table) => [
    check("purchases_status", isOneOf(table.status, purchaseStatuses)),
    index("purchases_user_id").on(table.userId, table.createdAt),
    index("purchases_created_at").on(table.createdAt, table.id),
    uniqueIndex("purchases_transaction_id_unique").on(table.transactionId),
  ],
);

export type PurchaseRow = typeof purchases.$inferSelect;
