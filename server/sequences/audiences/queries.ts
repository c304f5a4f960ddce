import { and, notLike, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { blockedStatuses } from "#contract/access.ts";
import { tiers } from "#contract/tiers.ts";
import { grantEnds, grants } from "#server/access/tables.ts";
import { announcementChoices } from "#server/announcements/tables.ts";
import { after, DAY } from "#server/base/clock.ts";
import { isOpenAt, isWatchable, lessonChanges, lessons, modules } from "#server/catalogue/tables.ts";
import { coupons } from "#server/coupons/tables.ts";
import { isOneOf } from "#server/db/columns.ts";
import type { Db } from "#server/db/db.ts";
import { identities, sessions, users } from "#server/identity/tables.ts";
import { deleted } from "#server/identity/users.ts";
import { openingRequests } from "#server/lessons/tables.ts";
import { openStates } from "#server/payments/attempts.ts";
import { paymentAttempts } from "#server/payments/tables.ts";
import { courseProgress, lessonsCompletedElsewhere } from "#server/progress/tables.ts";
import { purchasesInEffect } from "#server/purchases/purchases.ts";
import { purchases, quotes } from "#server/purchases/tables.ts";
import { openRefundStates } from "#server/refunds/refunds.ts";
import { refunds } from "#server/refunds/tables.ts";
import { isRenewable } from "#server/subscriptions/subscriptions.ts";
import { subscriptions } from "#server/subscriptions/tables.ts";
import { lateness, type Span, shifted, slack } from "../rules.ts";
import { sequenceEmails } from "../tables.ts";

export interface Asking {
  readonly db: Db;
  readonly now: Date;
  /** The id of the email that was decided and is about to be sent; empty: none. */
  readonly sending: string;
}

/**
 * Selects `user_id`, `occasion` and `facts` of those for whom a step is due, whom nothing stops, by what started it
 * within the span.
 */
export type Audience = (span: Span, asking: Asking) => SQL;

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

const isReachable = and(
  notLike(users.email, "%.invalid"),
  sql`not ${isOneOf(users.accountStatus, [deleted, ...blockedStatuses])}`,
);

/** Those with a confirmed address who are neither blocked nor deleted, got no refund last, and did not unsubscribe. */
export function mayBeWrittenTo(): SQL | undefined {
  const newestPayment = sql`
    select purchase.status from ${purchases} as purchase
    where purchase.user_id = ${users.id} and ${isOneOf(sql`purchase.status`, ["completed", "refunded"])}
    order by purchase.completed_at desc, purchase.id desc limit 1`;
  return and(
    users.emailVerified,
    isReachable,
    sql`not exists (
      select from ${announcementChoices} as choice where choice.user_id = ${users.id} and not choice.wanted)`,
    sql`coalesce((${newestPayment}), '') <> 'refunded'`,
  );
}

const anyTier = sql.raw(`'${tiers[0]}'`);

/** The newest quote of somebody who never had a plan, while no payment was made or is under way. */
export const unfinishedCheckouts: Audience = (span, { now }) => sql`
  select quote.user_id, 'checkout' as occasion, jsonb_build_object(
    'planId', quote.plan_id, 'listCents', (quote.basis ->> 'listCents')::int, 'discount', quote.basis -> 'coupon',
    'isValid', exists (
      select from ${coupons} as coupon
      where coupon.code = quote.basis #>> '{coupon,code}' and coupon.is_active and coupon.ends_at > ${now}
        and (coupon.max_uses is null or coupon.uses < coupon.max_uses))) as facts
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

/** A person's first grant, while its tier is open to them. Who has learned here or elsewhere before needs no welcome. */
export const newTiers: Audience = (span, { now }) => sql`
  select first.user_id, first.tier as occasion, jsonb_build_object('tier', first.tier) as facts
  from ${grants} as first
  where ${isIn(sql`first.starts_at`, span)}
    and not exists (
      select from ${grants} as earlier
      where earlier.user_id = first.user_id and (earlier.starts_at, earlier.id) < (first.starts_at, first.id))
    and not exists (select from ${lessonsCompletedElsewhere} as done where done.user_id = first.user_id)
    and ${opens(sql`first.user_id`, sql`first.tier`, now)}`;

const beforeStart = 3 * DAY;
const withoutWatching = 7 * DAY;
/** Watching a little begins the reminders anew. */
const mostReminders = { count: 3, within: 30 * DAY - slack } as const;

/** Those who paid and watched nothing, and those who stopped watching before the end of what they may watch. */
export const stalledStudents: Audience = (span, { now, sending }) => sql`
  select paid.user_id, 'purchase ' || paid.id as occasion, '{}'::jsonb as facts
  from ${purchasesInEffect} as paid
  where ${isIn(sql`paid.completed_at`, shifted(span, -beforeStart))}
    and not exists (select from ${courseProgress} as seen where seen.user_id = paid.user_id)
    and not exists (
      select from ${purchasesInEffect} as newer
      where newer.user_id = paid.user_id and (newer.completed_at, newer.id) > (paid.completed_at, paid.id))
    and ${opens(sql`paid.user_id`, anyTier, now)}
  union all
  select student.id, 'watching ' || ${epoch(sql`watched.at`)}, next.facts
  from (select user_id, max(updated_at) as at from ${courseProgress} group by user_id) as watched
  join ${users} as student on student.id = watched.user_id
  cross join lateral (
    select seen.lesson_id, seen.position, row(chapter.position, lesson.position) as place
    from ${courseProgress} as seen
    join ${lessons} as lesson on lesson.id = seen.lesson_id join ${modules} as chapter on chapter.id = lesson.module_id
    where seen.user_id = student.id and seen.updated_at = watched.at order by seen.id limit 1) as last
  cross join lateral (
    select jsonb_build_object('lessonId', ${lessons.id}, 'title', ${lessons.title}, 'seconds', case
        when ${lessons.id} = last.lesson_id and ${lessons.kind} = 'video'
          and last.position >= 1 and last.position < ${lessons.durationSeconds} - 1 then last.position end) as facts
    from ${lessons} join ${modules} on ${modules.id} = ${lessons.moduleId}
    where ${isWatchable} and ${isOpenAt(now)} and ${rank(modules.requiredTier)} <= ${rank(sql`student.purchased_tier`)}
      and not exists (
        select from ${courseProgress} as done
        where done.user_id = student.id and done.lesson_id = ${lessons.id} and done.is_completed)
    order by ${lessons.id} = last.lesson_id desc, row(${modules.position}, ${lessons.position}) > last.place desc,
      ${modules.position}, ${lessons.position} limit 1) as next
  where student.purchased_tier is not null and ${isIn(sql`watched.at`, shifted(span, -withoutWatching))}
    and ${opens(sql`student.id`, anyTier, now)}
    and (
      select count(*) from ${sequenceEmails} as email
      where email.user_id = student.id and email.sequence = 'stalled' and email.id <> ${sending}
        and email.decided_at > ${after(now, -mostReminders.within)}) < ${mostReminders.count}`;

const beforeRenewal = 5 * DAY;

/** When the person last watched or was signed in. */
const lastActive = sql`greatest(
  (select max(seen.updated_at) from ${courseProgress} as seen where seen.user_id = ${users.id}),
  (select max(identity.last_sign_in_at) from ${identities} as identity where identity.user_id = ${users.id}),
  (select max((session.sess ->> 'lastSeenAt')::timestamptz) from ${sessions} as session
    where (session.sess ->> 'userId') = ${users.id}))`;

/** Monthly subscribers who did not come in the paid period, before it renews. */
export const unusedSubscriptions: Audience = (span, { db, now }) => {
  const { nextChargeAt, price, purchaseId } = subscriptions;
  return sql`
    select ${users.id} as user_id, ${epoch(nextChargeAt)} as occasion,
      jsonb_build_object('renewsAt', ${nextChargeAt}, 'cents', (${price} * 100)::int, 'lastAt', ${lastActive}) as facts
    from ${subscriptions} join ${users} on ${users.id} = ${subscriptions.userId}
    where ${isIn(nextChargeAt, shifted(span, beforeRenewal))} and ${subscriptions.status} = 'active'
      and not ${subscriptions.declinedForGood} and ${isRenewable(db)}
      and not exists (
        select from ${refunds} as refund
        where refund.purchase_id = ${purchaseId} and ${isOneOf(sql`refund.state`, openRefundStates)})
      and ${opens(sql`${users.id}`, anyTier, now)}
      and coalesce(${lastActive} < ${subscriptions.currentPeriodStart}, true)`;
};

/** By the clock, or by publishing. */
const openedAt = sql`greatest(${lessons.opensAt}, ${modules.opensAt}, (
  select max(change.at) from ${lessonChanges} as change where change.lesson_id = ${lessons.id} and change.kind = 'new'))`;

/** A request in the occasion of an email. */
const requestKey = sql`${openingRequests.lessonId} || '@' || ${epoch(openingRequests.createdAt)}`;

/**
 * Lessons that opened, for those whose plan opens them and who had one by then; and for those who asked, who may have
 * turned off news, also while the sequence is off. One email for all that a person has not heard of.
 */
export const openedLessons: Audience = (span, { now, sending }) => {
  const isOpen = sql`${isWatchable} and ${isOpenAt(now)}`;
  const place = sql`${modules.position} as module_position, ${lessons.position} as lesson_position`;
  const ofEverybody = sql`
    select ${users.id} as user_id, ${lessons.id} as key, ${lessons.id} as lesson_id, ${lessons.title} as title,
      false as is_asked, ${place}
    from ${lessons} join ${modules} on ${modules.id} = ${lessons.moduleId}
    join ${users} on ${users.purchasedTier} is not null and ${opens(sql`${users.id}`, modules.requiredTier, now)}
    where ${isOpen} and ${isIn(openedAt, span)} and ${mayBeWrittenTo()}
      and exists (select from ${grants} as own where own.user_id = ${users.id} and own.starts_at <= ${openedAt})`;
  const ofThoseWhoAsked = sql`
    select ${users.id}, ${requestKey}, ${lessons.id}, ${lessons.title}, true, ${place}
    from ${openingRequests} join ${users} on ${users.id} = ${openingRequests.userId}
    join ${lessons} on ${lessons.id} = ${openingRequests.lessonId} join ${modules} on ${modules.id} = ${lessons.moduleId}
    where ${isOpen} and ${isReachable}
      and ${isIn(sql`coalesce(${openedAt}, ${openingRequests.createdAt})`, { ...span, from: span.earliest })}
      and (${lessons.freePreview} or ${opens(sql`${users.id}`, modules.requiredTier, now)})`;
  const order = sql`order by is_asked desc, module_position, lesson_position, lesson_id`;
  return sql`
    select user_id, string_agg(key, ' ' ${order}) as occasion, jsonb_build_object(
      'lessons', jsonb_agg(jsonb_build_object('id', lesson_id, 'title', title, 'isAsked', is_asked) ${order}),
      'isAsked', bool_or(is_asked)) as facts
    from (
      select distinct on (user_id, lesson_id) * from (${ofEverybody} union all ${ofThoseWhoAsked}) as each
      order by user_id, lesson_id, is_asked desc) as opened
    where not exists (
      select from ${sequenceEmails} as email, unnest(string_to_array(email.occasion, ' ')) as word
      where email.user_id = opened.user_id and email.sequence = 'new-lesson' and email.id <> ${sending}
        and (word = key or (not is_asked and split_part(word, '@', 1) = lesson_id)))
    group by user_id`;
};

/** Deletes the requests for lessons that opened too long ago to write about. */
export async function deleteOldRequests(db: Db, now: Date): Promise<void> {
  await db.execute(sql`
    delete from ${openingRequests} using ${lessons}, ${modules}
    where ${lessons.id} = ${openingRequests.lessonId} and ${modules.id} = ${lessons.moduleId}
      and ${isWatchable} and ${isOpenAt(now)}
      and coalesce(${openedAt}, ${openingRequests.createdAt}) <= ${after(now, -lateness)}`);
}

/** Deletes the requests that an email answers. */
export async function deleteAnsweredRequests(tx: Db, emailId: string): Promise<void> {
  await tx.execute(sql`
    delete from ${openingRequests} using ${sequenceEmails} as email
    where email.id = ${emailId} and email.user_id = ${openingRequests.userId}
      and ${requestKey} = any(string_to_array(email.occasion, ' '))`);
}
