import { and, asc, eq, isNull, lte, notLike, type SQL, sql } from "drizzle-orm";
import { blockedStatuses } from "#contract/access.ts";
import type { SequenceName } from "#contract/admin/sequences.ts";
import { announcementChoices } from "#server/announcements/tables.ts";
import { after, DAY } from "#server/base/clock.ts";
import { coachingCalendars } from "#server/coaching/tables.ts";
import { isOneOf } from "#server/db/columns.ts";
import type { Db } from "#server/db/db.ts";
import { identities, sessions, users } from "#server/identity/tables.ts";
import { deleted } from "#server/identity/users.ts";
import { sentEmails } from "#server/mail/tables.ts";
import { courseProgress } from "#server/progress/tables.ts";
import { purchases } from "#server/purchases/tables.ts";
import { askedLessons } from "./audiences/queries.ts";
import { pause } from "./rules.ts";
import { sequenceEmails } from "./tables.ts";

export interface DueStep {
  readonly sequence: SequenceName;
  readonly step: number;
  /** Selects `user_id`, `occasion` and `facts`. */
  readonly audience: SQL;
}

export interface DuePerson {
  readonly userId: string;
  readonly occasion: string;
  readonly facts: object;
}

/** The time zones in which somebody may be written to now. */
export interface OpenZones {
  readonly known: readonly string[];
  /** Whether those without a time zone may be. */
  readonly others: boolean;
}

export async function listZones(db: Db): Promise<string[]> {
  const { timeZone } = coachingCalendars;
  const rows = await db.selectDistinct({ timeZone }).from(coachingCalendars).where(sql`${timeZone} is not null`);
  return rows.flatMap((row) => row.timeZone ?? []);
}

/** Those with a confirmed address who are neither blocked nor deleted, got no refund last, and did not unsubscribe. */
function mayBeWrittenTo(): SQL | undefined {
  const newestPayment = sql`
    select purchase.status from ${purchases} as purchase
    where purchase.user_id = ${users.id} and ${isOneOf(sql`purchase.status`, ["completed", "refunded"])}
    order by purchase.completed_at desc, purchase.id desc limit 1`;
  return and(
    users.emailVerified,
    notLike(users.email, "%.invalid"),
    sql`not ${isOneOf(users.accountStatus, [deleted, ...blockedStatuses])}`,
    sql`not exists (
      select from ${announcementChoices} as choice where choice.user_id = ${users.id} and not choice.wanted)`,
    sql`coalesce((${newestPayment}), '') <> 'refunded'`,
  );
}

/**
 * Those who get the step's email now, or belong to its control group, by their ids.
 * @param only.sending the id of their email that was decided and is about to be sent
 */
export async function listDue(
  db: Db,
  { sequence, step, audience }: DueStep,
  {
    now,
    zones,
    ...only
  }: { readonly now: Date; readonly zones: OpenZones } & (
    | { readonly afterId: string; readonly limit: number }
    | { readonly userId: string; readonly sending?: string }
  ),
): Promise<DuePerson[]> {
  const zone = coachingCalendars.timeZone;
  const sending = ("sending" in only && only.sending) || "";
  const { rows } = (await db.execute(sql`
    select due.user_id as "userId", due.occasion, due.facts
    from (${audience}) as due
    join ${users} on ${users.id} = due.user_id
    left join ${coachingCalendars} on ${coachingCalendars.userId} = due.user_id
    where ${"userId" in only ? sql`due.user_id = ${only.userId}` : sql`due.user_id > ${only.afterId}`}
      and ${mayBeWrittenTo()}
      and (${zone} = any(${sql.param([...zones.known])}) or (${zone} is null and ${zones.others}))
      and not exists (
        select from ${sequenceEmails} as email
        where email.user_id = due.user_id and email.id <> ${sending} and (
          (not email.is_control and email.decided_at > ${after(now, -pause)}) or
          (email.sequence = ${sequence} and email.step = ${step} and email.occasion = due.occasion)))
    order by due.user_id, due.occasion ${"limit" in only ? sql`limit ${only.limit}` : sql``}`)) as unknown as {
    rows: DuePerson[];
  };
  return rows;
}

/** Records for each email whose days are over whether its person came back, and whether they bought a plan. */
export async function settleEmails(db: Db, now: Date): Promise<void> {
  const { decidedAt, hasReturned, hasBought, userId } = sequenceEmails;
  const isOver = (days: number) => lte(decidedAt, after(now, -days * DAY));
  await db
    .update(sequenceEmails)
    .set({
      hasReturned: sql`exists (select from ${courseProgress} as seen
          where seen.user_id = ${userId} and seen.updated_at > ${decidedAt})
        or exists (select from ${identities} as identity
          where identity.user_id = ${userId} and identity.last_sign_in_at > ${decidedAt})
        or exists (select from ${sessions} as session
          where (session.sess ->> 'userId') = ${userId} and (session.sess ->> 'lastSeenAt')::timestamptz > ${decidedAt})`,
    })
    .where(and(isNull(hasReturned), isOver(3)));
  await db
    .update(sequenceEmails)
    .set({
      hasBought: sql`exists (select from ${purchases} as purchase where purchase.user_id = ${userId}
        and purchase.completed_at > ${decidedAt} and purchase.completed_at <= ${decidedAt} + interval '7 days')`,
    })
    .where(and(isNull(hasBought), isOver(7)));
}

export function listFigures(db: Db) {
  const { sequence, step, isControl, hasReturned, hasBought } = sequenceEmails;
  const count = (what: SQL) => sql<number>`(count(*) filter (where ${what}))::int`;
  return db
    .select({
      ...{ sequence, step, isControl },
      people: sql<number>`count(*)::int`,
      returned: count(sql`${hasReturned}`),
      returnedOf: count(sql`${hasReturned} is not null`),
      bought: count(sql`${hasBought}`),
      boughtOf: count(sql`${hasBought} is not null`),
    })
    .from(sequenceEmails)
    .groupBy(sequence, step, isControl);
}

/** Requests for an opening whose email was sent. */
export async function listFulfilledRequests(db: Db): Promise<{ userId: string; lessonId: string }[]> {
  const { rows } = (await db.execute(sql`
    select asked.user_id as "userId", asked.lesson_id as "lessonId"
    from (${askedLessons}) as asked
    join ${sequenceEmails} as email on email.user_id = asked.user_id and email.sequence = 'new-lesson'
      and email.occasion = asked.occasion
    join ${sentEmails} as sent on sent.id = email.id`)) as unknown as { rows: { userId: string; lessonId: string }[] };
  return rows;
}

/** For the person's own export. */
export function listSequenceEmailsOf(db: Db, userId: string) {
  const { sequence, step, isControl, decidedAt } = sequenceEmails;
  return db
    .select({ sequence, step, isControl, decidedAt })
    .from(sequenceEmails)
    .where(eq(sequenceEmails.userId, userId))
    .orderBy(asc(decidedAt));
}
