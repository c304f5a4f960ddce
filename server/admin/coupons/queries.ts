import { sql } from "drizzle-orm";
import type { Paging } from "#contract/admin/admin.ts";
import { coupons, couponUses } from "#server/coupons/tables.ts";
import { type Db, rowsOf } from "#server/db/db.ts";
import { selectPage } from "#server/db/paging.ts";
import { charges } from "#server/payments/attempts.ts";
import { purchases } from "#server/purchases/tables.ts";
import { returns } from "#server/refunds/refunds.ts";

/** First those that run or will run, then the others, the newest first. */
export function listCouponRows(db: Db, page: Paging, now: Date) {
  const { isActive, endsAt, createdAt } = coupons;
  const key = sql<number>`(case when ${isActive} and ${endsAt} > ${now} then 1e11 else 0 end + extract(epoch from ${createdAt}))`;
  const part = { ...page, table: coupons, id: coupons.code, key, where: undefined };
  return selectPage(db, db.select().from(coupons).$dynamic(), part);
}

/** All of them, of which the academy has few. */
export function readCouponRows(db: Db) {
  return db.select().from(coupons);
}

export interface CouponFigures {
  readonly used: number;
  readonly reserved: number;
  readonly isKept: boolean;
  readonly discountedCents: number;
  readonly chargedCents: number;
  readonly refundedCents: number;
}

export async function readCouponFigures(db: Db): Promise<ReadonlyMap<string, CouponFigures>> {
  const rows = await rowsOf<CouponFigures & { code: string }>(
    db,
    sql`
    select taken.coupon_code as code, used, reserved, true as "isKept",
      coalesce(discounted, 0)::float8 as "discountedCents", coalesce(charged, 0)::float8 as "chargedCents",
      coalesce(refunded, 0)::float8 as "refundedCents"
    from (
      select coupon_code, (count(*) filter (where state = 'used'))::int as used,
        (count(*) filter (where state = 'reserved'))::int as reserved
      from ${couponUses} group by 1
    ) as taken left join (
      select coupon_code, sum(charged) * 100 as charged, sum(refunded) * 100 as refunded,
        sum(discount) filter (where charged > 0) * 100 as discounted
      from (
        select coupon_code, discount * (1 + least(discounted_renewals, (
            select count(*) from ${charges} as charge
            where charge.purchase_id = purchases.id and renews_from is not null
          ))) as discount,
          (select sum(amount) from ${charges} as charge where charge.purchase_id = purchases.id) as charged,
          (select sum(amount) from ${returns} as refund where refund.purchase_id = purchases.id) as refunded
        from ${purchases} where coupon_code is not null
      ) as bought group by 1
    ) as sums on sums.coupon_code = taken.coupon_code`,
  );
  return new Map(rows.map(({ code, ...figures }) => [code, figures]));
}
