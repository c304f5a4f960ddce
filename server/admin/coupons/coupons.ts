import type { Coupon, CouponState, CouponTerms } from "#contract/admin/coupons.ts";
import { dollarsOf, formatCents } from "#contract/money.ts";
import { audited, differences } from "#server/audit/audit.ts";
import { invalidFields, type Refusal } from "#server/base/refusal.ts";
import { describeSale } from "#server/catalogue/catalogue.ts";
import type { Context } from "#server/context/context.ts";
import { hasUsesLeft } from "#server/coupons/coupons.ts";
import {
  addCoupon,
  type CouponFields,
  type CouponRow,
  changeCoupon,
  couponVersionOf,
  setCouponActive,
} from "#server/coupons/editing.ts";
import type { Db } from "#server/db/db.ts";
import { emailAdministrators } from "#server/identity/administrator-emails.ts";
import type { User } from "#server/identity/users.ts";
import { type CouponFigures, listCouponRows, readCouponFigures } from "./queries.ts";

const unused: CouponFigures = {
  used: 0,
  reserved: 0,
  isKept: false,
  discountedCents: 0,
  chargedCents: 0,
  refundedCents: 0,
};

export async function describeCoupons({ db, clock }: Context): Promise<Coupon[]> {
  const rows = await listCouponRows(db);
  const figures = await readCouponFigures(db);
  return rows.map((row) => present(row, figures.get(row.code) ?? unused, clock.now()));
}

/** @throws Refusal invalid-input. */
export async function create(ctx: Context, actor: User, typed: string, terms: CouponTerms): Promise<Coupon[]> {
  const code = typed.toUpperCase();
  await audited(ctx, { actor, action: "create coupon", subject: code }, async (tx, now) => {
    const after = await addCoupon(tx, code, fieldsOf(terms), now);
    await reportLarge(ctx, tx, after, now);
    return { before: {}, after: termsOf(after) };
  });
  return describeCoupons(ctx);
}

/** @throws Refusal invalid-input, not-found, conflict. */
export async function change(
  ctx: Context,
  actor: User,
  typed: { readonly code: string; readonly version?: string | undefined },
  terms: CouponTerms,
): Promise<Coupon[]> {
  const code = typed.code.toUpperCase();
  await audited(ctx, { actor, action: "change coupon", subject: code }, async (tx, now) => {
    const { before, after } = await changeCoupon(tx, { ...typed, code }, fieldsOf(terms));
    await reportLarge(ctx, tx, after, now);
    return differences({ ...termsOf(before) }, { ...termsOf(after) });
  });
  return describeCoupons(ctx);
}

/** Emails the owners once about each discount of more than half a price. */
async function reportLarge(ctx: Context, tx: Db, { code, percent, off, plans }: CouponRow, now: Date): Promise<void> {
  const prices = (await describeSale(ctx)).plans.filter(({ tier }) => plans.includes(tier));
  const isLarge = percent === null ? prices.some(({ price }) => (off ?? 0) > price * 50) : percent > 50;
  if (!isLarge) return;
  const discount = percent === null ? formatCents(off ?? 0) : `${percent}%`;
  const occasion = `${code} ${discount}`;
  await emailAdministrators(tx, { kind: "large-coupon", facts: { code, discount }, occasion }, now);
}

/** @throws Refusal not-found, conflict. */
export async function setActive(ctx: Context, actor: User, typed: string, isActive: boolean): Promise<Coupon[]> {
  const code = typed.toUpperCase();
  const action = isActive ? "resume coupon" : "end coupon";
  await audited(ctx, { actor, action, subject: code }, async (tx) => {
    await setCouponActive(tx, code, isActive);
    return { before: { isActive: !isActive }, after: { isActive } };
  });
  return describeCoupons(ctx);
}

function present(row: CouponRow, figures: CouponFigures, now: Date): Coupon {
  return {
    ...termsOf(row),
    code: row.code,
    state: stateOf(row, now),
    isKept: figures.isKept,
    used: figures.used,
    reserved: figures.reserved,
    discounted: dollarsOf(figures.discountedCents),
    revenue: dollarsOf(figures.chargedCents),
    refunded: dollarsOf(figures.refundedCents),
    createdAt: row.createdAt.toISOString(),
    version: couponVersionOf(row),
  };
}

function stateOf(row: CouponRow, now: Date): CouponState {
  if (!row.isActive) return "ended";
  if (row.endsAt <= now) return "over";
  if (!hasUsesLeft(row)) return "used-up";
  return row.startsAt > now ? "planned" : "running";
}

function termsOf({ kind, percent, off, plans, startsAt, endsAt, maxUses, firstPurchaseOnly }: CouponRow): CouponTerms {
  return {
    kind,
    value: kind === "percent" ? (percent ?? 0) : dollarsOf(off ?? 0),
    plans,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    maxUses,
    firstPurchaseOnly,
  };
}

/** @throws Refusal invalid-input. */
function fieldsOf({ kind, value, plans, startsAt, endsAt, ...rest }: CouponTerms): CouponFields {
  const isPercent = kind === "percent";
  if (isPercent && (!Number.isInteger(value) || value > 90)) throw wrongValue("A whole number from 1 to 90");
  const cents = Math.round(value * 100);
  if (!isPercent && (cents < 1 || cents / 100 !== value)) throw wrongValue("Dollars and whole cents");
  return {
    ...rest,
    kind,
    percent: isPercent ? value : null,
    off: isPercent ? null : cents,
    plans: [...new Set(plans)],
    startsAt: new Date(startsAt),
    endsAt: new Date(endsAt),
  };
}

function wrongValue(message: string): Refusal {
  return invalidFields({ value: [message] });
}
