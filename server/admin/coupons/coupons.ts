import type { Coupon, CouponState } from "#contract/admin/coupons.ts";
import { dollarsOf } from "#contract/money.ts";
import type { Context } from "#server/context/context.ts";
import { hasUsesLeft } from "#server/coupons/coupons.ts";
import { type CouponRow, couponVersionOf, termsOf } from "#server/coupons/editing.ts";
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
