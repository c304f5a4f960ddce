import type { Page, Paging } from "#contract/admin/admin.ts";
import type { Coupon, CouponState, CouponSums } from "#contract/admin/coupons.ts";
import { dollarsOf } from "#contract/money.ts";
import type { Context } from "#server/context/context.ts";
import { hasUsesLeft } from "#server/coupons/coupons.ts";
import { type CouponRow, couponVersionOf, termsOf } from "#server/coupons/editing.ts";
import { type CouponFigures, listCouponRows, readCouponFigures, readCouponRows } from "./queries.ts";

const unused: CouponFigures = {
  used: 0,
  reserved: 0,
  isKept: false,
  discountedCents: 0,
  chargedCents: 0,
  refundedCents: 0,
};

export async function listCoupons({ db, clock }: Context, page: Paging): Promise<Page<Coupon> & { sums: CouponSums }> {
  const now = clock.now();
  const { rows, total } = await listCouponRows(db, page, now);
  const figures = await readCouponFigures(db);
  const running = (await readCouponRows(db)).filter((row) => stateOf(row, now) === "running");
  const sum = (name: Exclude<keyof CouponFigures, "isKept">) =>
    [...figures.values()].reduce((total, of) => total + of[name], 0);
  return {
    rows: rows.map((row) => present(row, figures.get(row.code) ?? unused, now)),
    total,
    sums: {
      running: running.length,
      used: sum("used"),
      revenue: dollarsOf(sum("chargedCents")),
      discounted: dollarsOf(sum("discountedCents")),
    },
  };
}

function present(row: CouponRow, figures: CouponFigures, now: Date): Coupon {
  return {
    ...termsOf(row),
    id: row.code,
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
