import { and, asc, desc, eq, inArray, isNull, max, or, sql } from "drizzle-orm";
import type { CoachingPromise } from "#contract/coaching/promise.ts";
import type { Tier } from "#contract/tiers.ts";
import { planNameAt } from "#server/catalogue/catalogue.ts";
import { plans } from "#server/catalogue/tables.ts";
import type { UseState } from "#server/coupons/coupons.ts";
import { couponUses } from "#server/coupons/tables.ts";
import type { Db } from "#server/db/db.ts";
import { users } from "#server/identity/tables.ts";
import { givesCredit } from "./rules.ts";
import { type PurchaseRow, purchases } from "./tables.ts";

export const isCompleted = eq(purchases.status, "completed");

/** As `isInEffect` of a row. */
const isInEffectHere = sql`coalesce(${purchases.givesAccess}, ${isCompleted})`;

export const purchasesInEffect = sql`(select * from ${purchases} where ${isInEffectHere})`;

export type PurchaseWithPlan = PurchaseRow & { planName: string };

/** With the name that its plan had when it was sold. */
export async function findPurchase(db: Db, id: string): Promise<PurchaseWithPlan | null> {
  const [row] = await withPlan(db).where(eq(purchases.id, id));
  return row ? { ...row.purchase, planName: row.planName } : null;
}

/** The newest first. */
export async function listPurchasesOfUser(db: Db, userId: string): Promise<PurchaseWithPlan[]> {
  const rows = await withPlan(db)
    .where(eq(purchases.userId, userId))
    .orderBy(desc(purchases.createdAt), desc(purchases.id));
  return rows.map((row) => ({ ...row.purchase, planName: row.planName }));
}

/** The name that the plan of the query's purchase had when it was sold. */
export function nameOfSoldPlan(db: Db) {
  return planNameAt(db, sql`coalesce(${purchases.completedAt}, ${purchases.createdAt})`);
}

function withPlan(db: Db) {
  return db
    .select({ purchase: purchases, planName: nameOfSoldPlan(db) })
    .from(purchases)
    .innerJoin(plans, eq(plans.id, purchases.planId));
}

/** Null when no purchase of the student is in effect. */
export async function lastCompletedAt(db: Db, userId: string): Promise<Date | null> {
  const [row] = await db
    .select({ completedAt: purchases.completedAt })
    .from(purchases)
    .where(and(eq(purchases.userId, userId), isInEffectHere))
    .orderBy(desc(purchases.completedAt))
    .limit(1);
  return row?.completedAt ?? null;
}

/**
 * Credited cents by charge. Includes pending purchases, and those that ended after a higher one was credited with
 * them.
 */
export async function sumCredited(db: Db, userId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .select({
      ...{ id: purchases.id, status: purchases.status, givesAccess: purchases.givesAccess },
      creditFrom: purchases.creditFrom,
    })
    .from(purchases)
    .where(eq(purchases.userId, userId))
    .orderBy(desc(purchases.createdAt), desc(purchases.id));
  const sums = new Map<string, number>();
  const passedOn = new Set<string>();
  for (const { id, creditFrom, ...money } of rows) {
    if (money.status !== "pending" && !givesCredit(money) && !passedOn.has(id)) continue;
    for (const { chargeId, purchaseId, cents } of creditFrom) {
      sums.set(chargeId, (sums.get(chargeId) ?? 0) + cents);
      passedOn.add(purchaseId);
    }
  }
  return sums;
}

export interface FirstPayment {
  readonly userId: string;
  readonly purchaseId: string;
  readonly paidAt: Date;
  readonly refundDays: number;
}

/** Includes payments of other accounts, also deleted ones, that had one of the student's mailboxes. */
export async function findFirstPayment(
  db: Db,
  { userId, addressHash }: { readonly userId: string; readonly addressHash: string | null },
): Promise<FirstPayment | null> {
  const { id: purchaseId, completedAt: paidAt, refundDays } = purchases;
  // An array, because PostgreSQL uses no index for `in (select …)` beside `or`.
  const hashes = sql`array(select address_hash from purchases where user_id = ${userId}) || ${addressHash}::text`;
  const isTheirs = or(eq(purchases.userId, userId), sql`${purchases.addressHash} = any(${hashes})`);
  const [row] = await db
    .select({ userId: purchases.userId, purchaseId, paidAt, refundDays })
    .from(purchases)
    .where(and(isTheirs, inArray(purchases.status, ["completed", "refunded"])))
    .orderBy(asc(purchases.completedAt))
    .limit(1);
  return row?.paidAt ? { ...row, paidAt: row.paidAt } : null;
}

/** Students with a confirmed address, of whose purchases one has no hash of it. */
export function listWithoutHash(db: Db, limit: number): Promise<{ id: string; email: string }[]> {
  return db
    .selectDistinct({ id: users.id, email: users.email })
    .from(purchases)
    .innerJoin(users, eq(users.id, purchases.userId))
    .where(and(isNull(purchases.addressHash), eq(users.emailVerified, true)))
    .limit(limit);
}

/** Locks the purchase until the transaction ends. Lock its student first. */
export async function lockPurchase(tx: Db, id: string): Promise<PurchaseRow> {
  const [row] = await tx.select().from(purchases).where(eq(purchases.id, id)).for("update");
  if (!row) throw new Error(`there is no purchase ${id}`);
  return row;
}

/** The current plan, not that of the purchase's time. */
export async function getPlan(db: Db, planId: string): Promise<typeof plans.$inferSelect> {
  const [plan] = await db.select().from(plans).where(eq(plans.id, planId));
  if (!plan) throw new Error(`there is no plan ${planId}`);
  return plan;
}

/** Of purchases whose money went back, or that a refund ended. */
export async function findLastRefunded(db: Db, userId: string): Promise<Date | null> {
  const isRefunded = or(eq(purchases.status, "refunded"), eq(purchases.givesAccess, false));
  const [row] = await db
    .select({ completedAt: max(purchases.completedAt) })
    .from(purchases)
    .where(and(eq(purchases.userId, userId), isRefunded));
  return row?.completedAt ?? null;
}

export async function findPromise(db: Db, id: string): Promise<CoachingPromise | undefined> {
  const [row] = await db.select({ coaching: purchases.coaching }).from(purchases).where(eq(purchases.id, id));
  return row?.coaching;
}

/** By purchase, what it promised if its plan promises something else today. */
export async function listOtherPromises(
  db: Db,
  onSale: Readonly<Record<Tier, CoachingPromise>>,
): Promise<Map<string, { tier: Tier; promise: CoachingPromise }>> {
  const { id, tier, coaching } = purchases;
  const cases = Object.entries(onSale).map(([of, promise]) => sql`when ${of} then ${JSON.stringify(promise)}`);
  const rows = await db
    .select({ id, tier, coaching })
    .from(purchases)
    // Compares text, which is fast. JSON in another key order is listed needlessly, which is harmless.
    .where(sql`${coaching}::text <> case ${tier} ${sql.join(cases, sql` `)} end`);
  return new Map(rows.map((row) => [row.id, { tier: row.tier, promise: row.coaching }]));
}

export interface UnsettledUse {
  readonly couponCode: string;
  readonly userId: string;
  readonly state: UseState;
  /** The state that `settleCoupon` would set. */
  readonly wanted: UseState;
}

export async function listUnsettledUses(db: Db, limit: number): Promise<UnsettledUse[]> {
  const { rows } = (await db.execute(sql`
    select * from (
      select u.coupon_code as "couponCode", u.user_id as "userId", u.state,
        case when bool_or(p.status in ('completed', 'refunded')) then 'used'
          when bool_or(p.status = 'pending') then 'reserved' else 'released' end as wanted
      from ${couponUses} u left join ${purchases} p on p.coupon_code = u.coupon_code and p.user_id = u.user_id
      group by u.coupon_code, u.user_id
    ) uses where state <> wanted order by "couponCode", "userId" limit ${limit}`)) as unknown as {
    rows: UnsettledUse[];
  };
  return rows;
}
