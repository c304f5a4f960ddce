import { sql } from "drizzle-orm";
import { renews, type Tier, tiers } from "#contract/tiers.ts";
import type { Periods } from "#server/admin/statistics/periods.ts";
import { type Bucket, periodOf, startOf, within } from "#server/admin/statistics/spans.ts";
import { plans } from "#server/catalogue/tables.ts";
import { isOneOf } from "#server/db/columns.ts";
import { type Db, rowsOf } from "#server/db/db.ts";
import { users } from "#server/identity/tables.ts";
import { countedCharges } from "#server/payments/tables.ts";
import { monthlyPeriod } from "#server/purchases/periods.ts";
import { purchases } from "#server/purchases/tables.ts";
import { returns } from "#server/refunds/refunds.ts";
import { visitCounts } from "#server/visits/tables.ts";
import type { VisitStep } from "#server/visits/visits.ts";

export function countSignUps(db: Db, periods: Periods) {
  return rowsOf<Bucket & { signUps: number }>(
    db,
    sql`select ${startOf(periods, "period")} as start, sign_ups as "signUps" from (
      select ${periodOf(periods, "created_at")} as period, count(*)::int as sign_ups
      from ${users} where ${within(periods, "created_at")}
      group by 1
    ) as made`,
  );
}

/** Sign-ups by day of the sign-up, and how many of them have paid since. */
export function countConversions(db: Db, periods: Periods) {
  return rowsOf<Bucket & { signUps: number; paid: number }>(
    db,
    sql`select ${startOf(periods, "period")} as start, sign_ups as "signUps", paid from (
      select ${periodOf(periods, "created_at")} as period, count(*)::int as sign_ups,
        (count(*) filter (where exists (
          select from ${countedCharges} as charge where charge.user_id = users.id
        )))::int as paid
      from ${users} where ${within(periods, "created_at")}
      group by 1
    ) as made`,
  );
}

/** Students by the day of their first card submission, once per period. */
export function countFirstSubmissions(db: Db, periods: Periods) {
  return rowsOf<Bucket & { card: number; paid: number }>(
    db,
    sql`select ${startOf(periods, "period")} as start, count(*)::int as card, (count(*) filter (where is_paid))::int as paid from (
      select ${periodOf(periods, "submitted.created_at")} as period, bool_or(completed_at is not null) as is_paid
      from ${purchases} as submitted where ${within(periods, "submitted.created_at")} and not exists (
        select from ${purchases} as earlier where earlier.user_id = submitted.user_id
          and earlier.created_at < submitted.created_at and earlier.completed_at is not null
      )
      group by 1, submitted.user_id
    ) as student group by period`,
  );
}

export function countVisits(db: Db, periods: Periods) {
  return rowsOf<Bucket & { step: VisitStep; visits: number }>(
    db,
    sql`select ${startOf(periods, "period")} as start, step, visits from (
      select width_bucket(day, ${sql.param([...periods.starts])}::date[]) as period, step, sum(visits)::int as visits
      from ${visitCounts} where day >= ${periods.starts[0]} and day < ${periods.endDay}
      group by 1, 2
    ) as counted`,
  );
}

export async function findFirstCountedDay(db: Db): Promise<string | null> {
  const [row] = await rowsOf<{ day: string | null }>(
    db,
    sql`select to_char(min(day), 'YYYY-MM-DD') as day from ${visitCounts}`,
  );
  return row?.day ?? null;
}

const renewing = sql`array(select id from ${plans} where ${isOneOf(plans.tier, tiers.filter(renews))})`;

/**
 * Of the students of plans that renew, by the month of their first payment for one: how many paid for so many periods,
 * and were there for so many whole ones since. A charge that went back whole is no paid period. Both up to `maxPeriods`.
 */
export function countPaidPeriods(db: Db, months: Periods, maxPeriods: number, now: Date) {
  const seconds = sql.raw(String(monthlyPeriod / 1000));
  return rowsOf<{ month: string; paid: number; elapsed: number; students: number }>(
    db,
    sql`select ${startOf(months, "period")} as month, paid, elapsed, count(*)::int as students from (
      select ${periodOf(months, "first_at")} as period, least(${maxPeriods}, paid)::int as paid,
        least(${maxPeriods}, floor(date_part('epoch', ${now} - first_at) / ${seconds}))::int as elapsed
      from (
        select charge.user_id, min(charge.charged_at) as first_at,
          count(*) filter (where refunded.cents is null or refunded.cents < charge.cents) as paid
        from ${countedCharges} as charge left join (
          select attempt_id, sum(amount) * 100 as cents from ${returns} as refund group by 1
        ) as refunded on refunded.attempt_id = charge.attempt_id
        where charge.plan_id = any(${renewing})
        group by charge.user_id
      ) as student
    ) as lived group by 1, 2, 3`,
  );
}

/** Charges and refunds of all paying students in cents, by month and plan of their first payment. */
export function sumByFirstPayment(db: Db, months: Periods) {
  return rowsOf<{
    month: string;
    tier: Tier;
    plan: string;
    students: number;
    charged: number;
    refunded: number;
  }>(
    db,
    sql`select ${startOf(months, "period")} as month, plans.tier, plans.name as plan, students, charged, refunded from (
      select ${periodOf(months, "first_at")} as period, plan_id, sum(students)::int as students,
        sum(charged)::float8 as charged, sum(refunded)::float8 as refunded
      from (
        select min(charged_at) as first_at, (array_agg(plan_id order by charged_at, plan_id))[1] as plan_id, 1 as students,
          sum(cents) as charged, 0 as refunded
        from ${countedCharges} group by user_id
        union all
        select first.charged_at, first.plan_id, 0, 0, refund.amount * 100
        from ${returns} as refund cross join lateral (
          select charged_at, plan_id from ${countedCharges} as charge where charge.user_id = refund.user_id
          order by charged_at, plan_id limit 1
        ) as first
      ) as brought
      group by 1, 2
    ) as begun join ${plans} on plans.id = begun.plan_id`,
  );
}
