import { and, eq, inArray, isNull, lt, ne, or, sql } from "drizzle-orm";
import type { Tier } from "#contract/tiers.ts";
import { HOUR } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Db } from "#server/db/db.ts";
import { countUse, type RateLimit, returnUse } from "#server/db/rate-limits.ts";
import { codeOf, discountOf, hasUsesLeft, isFor, takenStates, takes, type UseState } from "./rules.ts";
import { coupons, couponUses } from "./tables.ts";

export { hasUsesLeft, type UseState } from "./rules.ts";

/** The discount of a coupon, as a purchase records it. */
export interface Discount {
  readonly code: string;
  readonly cents: number;
  /** Renewals that have it too. */
  readonly renewals: number;
}

const triesPerHour: RateLimit = {
  max: 10,
  window: HOUR,
  message: "You've tried too many codes. Please try again in an hour.",
};

/** The same refusal for every reason, so that nobody learns which codes exist. */
export function couponRefused(): Refusal {
  const message =
    "This code doesn't work for this purchase. Check the spelling. It may also have expired, or be for another plan or for first purchases only.";
  return new Refusal("coupon-refused", message, { errors: { code: [message] } });
}

/** For any code, so that nobody learns which codes exist. */
export function couponNeedsConfirmedAddress(): Refusal {
  const message =
    "Confirm your email address to use a code. Open the link in our confirmation email, then apply the code again.";
  return new Refusal("coupon-refused", message, { errors: { code: [message] } });
}

/** A student, who stays the same with a new account that has the same mailbox. */
export interface CouponStudent {
  readonly userId: string;
  /** `hashMailbox` of the confirmed address. */
  readonly addressHash: string;
}

/**
 * Looks up a code. A wrong one counts for the person and the client address, whose counter is locked meanwhile, so
 * that concurrent tries cannot pass the limit.
 * @throws Refusal coupon-refused, too-many-requests.
 */
export async function tryCode(
  db: Db,
  by: { readonly userId: string; readonly clientHash: string },
  find: (tx: Db) => Promise<Discount | null>,
  now: Date,
): Promise<void> {
  const isGood = await db.transaction(async (tx) => {
    const keys = [`code ${by.userId}`, `code ${by.clientHash}`];
    for (const key of keys) await countUse(tx, key, triesPerHour, now);
    if ((await find(tx)) === null) return false;
    for (const key of keys) await returnUse(tx, key);
    return true;
  });
  if (!isGood) throw couponRefused();
}

/** The discount of a code; null for whatever reason, after the same queries, so that no time tells the reason. */
export async function findDiscount(
  db: Db,
  typed: string,
  of: CouponStudent & {
    readonly tier: Tier;
    readonly listCents: number;
    readonly hasPaidBefore: boolean;
    readonly at: Date;
  },
): Promise<Discount | null> {
  const code = codeOf(typed);
  const [coupon] = await db.select().from(coupons).where(eq(coupons.code, code));
  const hasIt = await hasUse(db, code, of);
  if (!coupon || hasIt || !isFor(coupon, of) || !hasUsesLeft(coupon)) return null;
  const cents = discountOf(coupon, of.listCents);
  return cents > 0 ? { code, cents, renewals: coupon.renewals } : null;
}

async function hasUse(db: Db, couponCode: string, { userId, addressHash }: CouponStudent): Promise<boolean> {
  const isTheirs = or(eq(couponUses.userId, userId), eq(couponUses.addressHash, addressHash));
  return (await db.$count(couponUses, and(eq(couponUses.couponCode, couponCode), isTheirs, isTaken))) > 0;
}

async function stateOf(db: Db, couponCode: string, userId: string): Promise<UseState | null> {
  const [use] = await db.select({ state: couponUses.state }).from(couponUses).where(ofStudent(couponCode, userId));
  return use?.state ?? null;
}

function ofStudent(couponCode: string, userId: string) {
  return and(eq(couponUses.couponCode, couponCode), eq(couponUses.userId, userId));
}

/**
 * Reserves a use of the coupon; false when none is left. Call it in the transaction that opens the attempt, with the
 * student locked.
 */
export async function reserveUse(tx: Db, couponCode: string, student: CouponStudent, now: Date): Promise<boolean> {
  const isLeft = or(isNull(coupons.maxUses), lt(coupons.uses, coupons.maxUses));
  const counted = await tx
    .update(coupons)
    .set({ uses: sql`${coupons.uses} + 1` })
    .where(and(eq(coupons.code, couponCode), coupons.isActive, isLeft))
    .returning({ code: coupons.code });
  // Counted first, which locks the coupon: another account of the same mailbox waits here.
  if (counted.length === 0 || (await hasUse(tx, couponCode, student))) return false;
  await writeUse(tx, { couponCode, ...student, state: "reserved" }, now);
  return true;
}

/**
 * Sets the state of a use, with the student locked. A released use that turns out to be paid counts, even beyond the
 * limit.
 */
export async function settleUse(
  tx: Db,
  use: { readonly couponCode: string; readonly userId: string; readonly state: UseState },
  now: Date,
): Promise<void> {
  const before = await stateOf(tx, use.couponCode, use.userId);
  if (before === use.state) return;
  const change = countOf(use.state) - countOf(before);
  if (change !== 0) {
    await tx
      .update(coupons)
      .set({ uses: sql`${coupons.uses} + ${change}` })
      .where(eq(coupons.code, use.couponCode));
  }
  if (change > 0) await leaveHashToOther(tx, use);
  await writeUse(tx, use, now);
}

/** Another account of the mailbox has used the code since this use was released. Both count, and one has the hash. */
async function leaveHashToOther(
  tx: Db,
  { couponCode, userId }: { readonly couponCode: string; readonly userId: string },
): Promise<void> {
  await tx.execute(sql`
    update ${couponUses} as own set address_hash = null from ${couponUses} as other
    where own.coupon_code = ${couponCode} and own.user_id = ${userId} and other.coupon_code = own.coupon_code
      and other.address_hash = own.address_hash and other.user_id <> own.user_id
      and other.state in ('reserved', 'used')`);
}

/** Adds the hashes, by student, to uses without one. Of a mailbox's uses of a code, one has the hash. */
export async function addHashesToUses(tx: Db, byUserId: Readonly<Record<string, string>>): Promise<void> {
  await tx.execute(sql`
    update ${couponUses} as own set address_hash = added.hash from (
      select distinct on (coupon_code, hash) coupon_code, user_id, hash
      from ${couponUses} as use join json_each_text(${JSON.stringify(byUserId)}::json) as given (user_id, hash) using (user_id)
      where address_hash is null and not exists (
        select 1 from ${couponUses} as other
        where other.coupon_code = use.coupon_code and other.address_hash = hash and other.state in ('reserved', 'used'))
      order by coupon_code, hash, state desc
    ) as added where own.coupon_code = added.coupon_code and own.user_id = added.user_id`);
}

function countOf(state: UseState | null): number {
  return takes(state) ? 1 : 0;
}

const isTaken = inArray(couponUses.state, [...takenStates]);

async function writeUse(
  tx: Db,
  use: Omit<typeof couponUses.$inferInsert, "updatedAt">,
  updatedAt: Date,
): Promise<void> {
  const { state, addressHash } = use;
  await tx
    .insert(couponUses)
    .values({ ...use, updatedAt })
    .onConflictDoUpdate({ target: [couponUses.couponCode, couponUses.userId], set: { state, addressHash, updatedAt } });
}

export interface Miscount {
  readonly code: string;
  readonly counted: number;
  /** Uses that are reserved or used. */
  readonly taken: number;
}

export function listMiscounts(db: Db, limit: number): Promise<Miscount[]> {
  const taken = db.$count(couponUses, and(eq(couponUses.couponCode, coupons.code), isTaken));
  return db
    .select({ code: coupons.code, counted: coupons.uses, taken })
    .from(coupons)
    .where(ne(coupons.uses, taken))
    .orderBy(coupons.code)
    .limit(limit);
}

export async function countUsesAgain(tx: Db, code: string): Promise<void> {
  // Locks the coupon first, as taking a use does, so that the count misses none.
  await tx.select({ code: coupons.code }).from(coupons).where(eq(coupons.code, code)).for("update");
  const uses = await tx.$count(couponUses, and(eq(couponUses.couponCode, code), isTaken));
  await tx.update(coupons).set({ uses }).where(eq(coupons.code, code));
}
