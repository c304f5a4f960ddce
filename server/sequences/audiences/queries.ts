import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { tiers } from "#contract/tiers.ts";
import { grantEnds, grants } from "#server/access/tables.ts";
import { DAY } from "#server/base/clock.ts";
import { isOpenAt, isWatchable, lessons, modules } from "#server/catalogue/tables.ts";
import { isOneOf } from "#server/db/columns.ts";
import { users } from "#server/identity/tables.ts";
import { openingRequests } from "#server/lessons/tables.ts";
import { openStates } from "#server/payments/attempts.ts";
import { paymentAttempts } from "#server/payments/tables.ts";
import { courseProgress } from "#server/progress/tables.ts";
import { purchasesInEffect } from "#server/purchases/purchases.ts";
import { purchases, quotes } from "#server/purchases/tables.ts";
import { subscriptions } from "#server/subscriptions/tables.ts";
import { type Span, shifted } from "../rules.ts";

/**
 * Selects `user_id`, `occasion` and `facts` of those for whom a step is due, whom nothing stops, by what started it
 * within the span.
 */
export type Audience = (span: Span, now: Date) => SQL;

const isIn = (column: SQLWrapper, { from, to }: Span) => sql`(${column} > ${from} and ${column} <= ${to})`;

const rank = (tier: SQLWrapper) => sql`array_position(${sql.raw(`array['${tiers.join("','")}']`)}, ${tier})`;

const epoch = (instant: SQLWrapper) => sql`extract(epoch from ${instant})::text`;

/** Whether a grant is in force that opens what needs the tier. */
function opens(userId: SQL, tier: SQLWrapper, now: Date): SQL {
  return sql`exists (
    select from ${grants} as own
    where own.user_id = ${userId} and own.starts_at <= ${now} and (own.ends_at is null or own.ends_at > ${now})
      and ${rank(sql`own.tier`)} >= ${rank(tier)}
      and not exists (select from ${grantEnds} as cut where cut.grant_id = own.id and cut.ends_at <= ${now}))`;
}

const anyTier = sql.raw(`'${tiers[0]}'`);

/** The newest quote of somebody who never had a plan, while no payment was made or is under way. */
export const unfinishedCheckouts: Audience = (span) => sql`
  select quote.user_id, 'checkout' as occasion, jsonb_build_object('planId', quote.plan_id) as facts
  from ${quotes} as quote
  where ${isIn(sql`quote.created_at`, span)} and quote.expires_at > ${span.from}
    and not exists (
      select from ${quotes} as newer
      where newer.user_id = quote.user_id and (newer.created_at, newer.id) > (quote.created_at, quote.id))
    and not exists (
      select from ${purchases} as purchase
      where purchase.user_id = quote.user_id and ${isOneOf(sql`purchase.status`, ["pending", "completed", "refunded"])})
    and not exists (
      select from ${paymentAttempts} as attempt
      where attempt.user_id = quote.user_id and ${isOneOf(sql`attempt.state`, openStates)})
    and not exists (select from ${grants} as own where own.user_id = quote.user_id)`;

/** The first grant of a tier, while one of that tier is in force. */
export const newTiers: Audience = (span, now) => sql`
  select first.user_id, first.tier as occasion, jsonb_build_object('tier', first.tier) as facts
  from ${grants} as first
  where ${isIn(sql`first.starts_at`, span)}
    and not exists (
      select from ${grants} as earlier
      where earlier.user_id = first.user_id and earlier.tier = first.tier
        and (earlier.starts_at, earlier.id) < (first.starts_at, first.id))
    and exists (
      select from ${grants} as own
      where own.user_id = first.user_id and own.tier = first.tier and (own.ends_at is null or own.ends_at > ${now})
        and not exists (select from ${grantEnds} as cut where cut.grant_id = own.id and cut.ends_at <= ${now}))`;

const beforeStart = 3 * DAY;
const withoutWatching = 7 * DAY;

/** Those who paid and watched nothing, and those who stopped watching before the end of what they may watch. */
export const stalledStudents: Audience = (span, now) => sql`
  select paid.user_id, 'purchase ' || paid.id as occasion, '{}'::jsonb as facts
  from ${purchasesInEffect} as paid
  where ${isIn(sql`paid.completed_at`, shifted(span, -beforeStart))}
    and not exists (select from ${courseProgress} as seen where seen.user_id = paid.user_id)
    and not exists (
      select from ${purchasesInEffect} as newer
      where newer.user_id = paid.user_id and (newer.completed_at, newer.id) > (paid.completed_at, paid.id))
    and ${opens(sql`paid.user_id`, anyTier, now)}
  union all
  select student.id, 'watching ' || ${epoch(sql`watched.at`)},
    jsonb_build_object('lessonId', ${lessons.id}, 'title', ${lessons.title}, 'seconds', last.position)
  from (select user_id, max(updated_at) as at from ${courseProgress} group by user_id) as watched
  join ${users} as student on student.id = watched.user_id
  cross join lateral (
    select seen.lesson_id, seen.position from ${courseProgress} as seen
    where seen.user_id = student.id and seen.updated_at = watched.at order by seen.id limit 1) as last
  join ${lessons} on ${lessons.id} = last.lesson_id
  where student.purchased_tier is not null and ${isIn(sql`watched.at`, shifted(span, -withoutWatching))}
    and ${opens(sql`student.id`, anyTier, now)}
    and exists (
      select from ${lessons} join ${modules} on ${modules.id} = ${lessons.moduleId}
      where ${isWatchable} and ${isOpenAt(now)} and ${rank(modules.requiredTier)} <= ${rank(sql`student.purchased_tier`)}
        and not exists (
          select from ${courseProgress} as done
          where done.user_id = student.id and done.lesson_id = ${lessons.id} and done.is_completed))`;

const beforeRenewal = 5 * DAY;

/** Monthly subscribers who watched nothing in the paid period, before it renews. */
export const unusedSubscriptions: Audience = (span, now) => sql`
  select idle.user_id, ${epoch(sql`idle.next_charge_at`)} as occasion,
    jsonb_build_object('renewsAt', idle.next_charge_at, 'planId', idle.plan_id, 'cents', (idle.price * 100)::int, 'lastAt', (
      select max(seen.updated_at) from ${courseProgress} as seen where seen.user_id = idle.user_id)) as facts
  from ${subscriptions} as idle
  where ${isIn(sql`idle.next_charge_at`, shifted(span, beforeRenewal))} and idle.status = 'active'
    and ${opens(sql`idle.user_id`, anyTier, now)}
    and not exists (
      select from ${courseProgress} as seen
      where seen.user_id = idle.user_id and seen.updated_at >= idle.current_period_start)`;

const openedAt = sql`greatest(${lessons.opensAt}, ${modules.opensAt})`;

/** Each lesson for whose opening somebody asked, as `openedLessons` counts it. */
export const askedLessons = sql`
  select ${openingRequests.userId} as user_id,
    coalesce(${epoch(openedAt)}, ${lessons.id} || ' ' || ${epoch(openingRequests.createdAt)}) as occasion,
    ${lessons.id} as lesson_id, ${lessons.title} as title, true as is_asked
  from ${openingRequests} join ${lessons} on ${lessons.id} = ${openingRequests.lessonId}
  join ${modules} on ${modules.id} = ${lessons.moduleId}`;

/**
 * Lessons that opened, for those whose plan opens them and who had one by then; and for those who asked, also while the
 * sequence is off. One email for all that opened at an instant.
 */
export const openedLessons: Audience = (span, now) => {
  const isOpen = sql`${isWatchable} and ${isOpenAt(now)}`;
  const ofEverybody = sql`
    select student.id as user_id, ${epoch(openedAt)} as occasion, ${lessons.id} as lesson_id, ${lessons.title} as title,
      false as is_asked
    from ${lessons} join ${modules} on ${modules.id} = ${lessons.moduleId}
    join ${users} as student on student.purchased_tier is not null and ${opens(sql`student.id`, modules.requiredTier, now)}
    where ${isOpen} and ${isIn(openedAt, span)}
      and exists (select from ${grants} as own where own.user_id = student.id and own.starts_at <= ${openedAt})`;
  const ofThoseWhoAsked = sql`${askedLessons} where ${isOpen}
    and (${lessons.freePreview} or ${opens(sql`${openingRequests.userId}`, modules.requiredTier, now)})`;
  return sql`
    select user_id, occasion,
      jsonb_build_object('lessons', jsonb_object_agg(lesson_id, title), 'isAsked', bool_or(is_asked)) as facts
    from (${ofEverybody} union all ${ofThoseWhoAsked}) as opened group by user_id, occasion`;
};
