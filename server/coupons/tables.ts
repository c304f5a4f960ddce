import { isNotNull, sql } from "drizzle-orm";
import { boolean, check, index, integer, primaryKey, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import { type Tier, tiers } from "#contract/tiers.ts";
import { cents, instant, isOneOf } from "#server/db/columns.ts";
import { ofUser } from "#server/identity/tables.ts";
import { type CouponKind, couponKinds, takenStates, type UseState, useStates } from "./rules.ts";

export const coupons = snakeCase.table(
  "coupons",
  {
    /** Never changes, as purchases reference it. */
    code: text().primaryKey(),
    kind: text().$type<CouponKind>().notNull(),
    percent: integer(),
    off: cents(),
    plans: text().$type<Tier>().array().notNull(),
    startsAt: instant().notNull(),
    endsAt: instant().notNull(),
    /** Null: unlimited. */
    maxUses: integer(),
    /**
     * Uses that are reserved or used. More than `maxUses` only when a charge was found after its use had been
     * released.
     */
    uses: integer().notNull().default(0),
    firstPurchaseOnly: boolean().notNull(),
    /** Renewals that keep the discount. 0: only the first payment has it. */
    renewals: integer().notNull().default(0),
    isActive: boolean().notNull(),
    /** The same for codes that were made together. */
    batchId: text(),
    createdAt: instant().notNull(),
  },
  (table) => [
    check("coupons_code", sql`${table.code} ~ '^[A-Z0-9-]{4,24}$'`),
    check("coupons_kind", isOneOf(table.kind, couponKinds)),
    check(
      "coupons_worth",
      sql`case ${table.kind} when 'percent' then coalesce(${table.percent}, 0) between 1 and 90 and ${table.off} is null
        else coalesce(${table.off}, 0) > 0 and ${table.percent} is null end`,
    ),
    check(
      "coupons_plans",
      sql`cardinality(${table.plans}) > 0 and ${table.plans} <@ array[${sql.raw(tiers.map((tier) => `'${tier}'`).join(", "))}]`,
    ),
    check("coupons_dates", sql`${table.startsAt} < ${table.endsAt}`),
    check("coupons_uses", sql`${table.uses} >= 0 and ${table.maxUses} > 0`),
    check("coupons_renewals", sql`${table.renewals} between 0 and 11`),
    index("coupons_created_at").on(table.createdAt),
    index("coupons_batch_id").on(table.batchId).where(isNotNull(table.batchId)),
  ],
);

export type CouponRow = typeof coupons.$inferSelect;

/** One row for each student, who may use a released coupon again. */
export const couponUses = snakeCase.table(
  "coupon_uses",
  {
    couponCode: text()
      .notNull()
      .references(() => coupons.code),
    userId: ofUser(),
    state: text().$type<UseState>().notNull(),
    /** `hashMailbox` of the address that the student had confirmed. Null when another account of the mailbox has the hash. */
    addressHash: text(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.couponCode, table.userId] }),
    index("coupon_uses_user_id").on(table.userId),
    uniqueIndex("coupon_uses_address_hash_unique")
      .on(table.couponCode, table.addressHash)
      .where(isOneOf(table.state, takenStates)),
    check("coupon_uses_state", isOneOf(table.state, useStates)),
  ],
);
