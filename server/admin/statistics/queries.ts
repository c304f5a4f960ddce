import { inArray, sql } from "drizzle-orm";
import { blockedStatuses } from "#contract/access.ts";
import type { AdminStats } from "#contract/admin/statistics.ts";
import type { Tier } from "#contract/tiers.ts";
import { plans } from "#server/catalogue/tables.ts";
import { contacts } from "#server/contact/tables.ts";
import { type Db, rowsOf } from "#server/db/db.ts";
import { users } from "#server/identity/tables.ts";
import { deleted } from "#server/identity/users.ts";
import { charges, declinedRenewals } from "#server/payments/attempts.ts";
import { countedCharges } from "#server/payments/tables.ts";
import { returns } from "#server/refunds/refunds.ts";
import { subscriptionFigures } from "#server/subscriptions/subscriptions.ts";
import type { Periods } from "./periods.ts";
import { type Bucket, periodOf, startOf, within } from "./spans.ts";

/** The figures of the dashboard, by one statement. Amounts in cents. */
export async function countEverything(db: Db) {
  const rows = await rowsOf<Omit<AdminStats, "totalRevenue" | "openDiscrepancies"> & { revenueCents: number }>(
    db,
    sql`
    select users.*, subscriptions.*, messages.*,
      (coalesce((select sum(cents) from ${countedCharges}), 0)
        - coalesce((select sum(amount) from ${returns} as refund), 0) * 100)::float8 as "revenueCents"
    from (
      select count(*)::int as "totalUsers",
        (count(*) filter (where ${inArray(users.accountStatus, [...blockedStatuses])}))::int as "blockedAccounts"
      from ${users} where account_status <> ${deleted}
    ) as users, (
      select (count(*) filter (where is_shown_active))::int as "activeSubscriptions",
        (count(*) filter (where is_declined))::int as "declinedSubscriptions"
      from ${subscriptionFigures} as subscription where is_paid
    ) as subscriptions, (
      select count(*)::int as "totalContacts" from ${contacts}
    ) as messages`,
  );
  const [row] = rows;
  if (!row) throw new Error("a count returned no row");
  return row;
}

/** Subscriptions that will renew, and what they bring in 30 days, in cents. */
export async function sumRenewing(db: Db): Promise<{ subscriptions: number; cents: number }> {
  const [row] = await rowsOf<{ subscriptions: number; cents: number }>(
    db,
    sql`select count(*)::int as subscriptions, (coalesce(sum(price), 0) * 100)::float8 as cents
      from ${subscriptionFigures} as subscription where is_paid and is_shown_active`,
  );
  return row ?? { subscriptions: 0, cents: 0 };
}

/** Sums in cents, by period. */
export async function sumCharges(db: Db, periods: Periods) {
  return rowsOf<Bucket & { tier: Tier; plan: string; cents: number; charges: number; purchases: number }>(
    db,
    sql`select ${startOf(periods, "period")} as start, plans.tier, plans.name as plan, cents, charges, purchases from (
      select ${periodOf(periods, "charged_at")} as period, plan_id, sum(cents)::float8 as cents,
        count(*)::int as charges, (count(*) filter (where is_first))::int as purchases
      from ${countedCharges} where ${within(periods, "charged_at")}
      group by 1, 2
    ) as charged join ${plans} on plans.id = charged.plan_id`,
  );
}

export async function countRecoveries(db: Db, periods: Periods) {
  return rowsOf<Bucket & { recoveries: number }>(
    db,
    sql`select ${startOf(periods, "period")} as start, recoveries from (
      select ${periodOf(periods, "charge.resolved_at")} as period, count(*)::int as recoveries
      from ${charges} as charge where ${within(periods, "charge.resolved_at")} and renews_from is not null and exists (
        select from ${declinedRenewals} as declined
        where declined.purchase_id = charge.purchase_id and declined.renews_from = charge.renews_from
      )
      group by 1
    ) as recovered`,
  );
}

/** Cents. */
export async function sumRefunds(db: Db, periods: Periods) {
  return rowsOf<Bucket & { cents: number; refunds: number }>(
    db,
    sql`select ${startOf(periods, "period")} as start, cents, refunds from (
      select ${periodOf(periods, "resolved_at")} as period, (sum(amount) * 100)::float8 as cents, count(*)::int as refunds
      from ${returns} as refund where ${within(periods, "resolved_at")}
      group by 1
    ) as returned`,
  );
}

export async function countDeclinedRenewals(db: Db, periods: Periods) {
  return rowsOf<Bucket & { declines: number }>(
    db,
    sql`select ${startOf(periods, "period")} as start, declines from (
      select ${periodOf(periods, "sent_at")} as period, count(*)::int as declines
      from ${declinedRenewals} as declined where ${within(periods, "sent_at")}
      group by 1
    ) as declined`,
  );
}

/**
 * Subscriptions that began and ended in each period, with their price for 30 days; those before the span have the
 * start "". A subscription ends when it no longer renews: cancelled, replaced, refunded, declined or held. One that
 * is paid after a decline has not ended.
 */
export async function countSubscriptionMoves(db: Db, periods: Periods, now: Date) {
  return rowsOf<Bucket & { began: number; ended: number; cents: number }>(
    db,
    sql`with subscription as not materialized (
      select price as amount, begun_at, case when not (is_paid and is_shown_active) then least(coalesce(held_at, cancelled_at, (
        select max(resolved_at) from ${returns} as refund where refund.purchase_id = begun.purchase_id and ends_access
      ), dunning_since, current_period_end), ${now}) end as ended_at
      from ${subscriptionFigures} as begun where begun_at is not null
    ), move as (
      select begun_at as at, 1 as began, 0 as ended, amount from subscription
      union all
      select ended_at, 0, 1, -amount from subscription where ended_at is not null
    )
    select coalesce(${startOf(periods, "period")}, '') as start, began, ended, cents from (
      select ${periodOf(periods, "at")} as period,
        sum(began)::int as began, sum(ended)::int as ended, (sum(amount) * 100)::float8 as cents
      from move where at < ${periods.end}
      group by 1
    ) as moves`,
  );
}
