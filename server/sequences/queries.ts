import { and, asc, eq, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { SequenceName } from "#contract/admin/sequences.ts";
import { after, DAY } from "#server/base/clock.ts";
import { coachingCalendars } from "#server/coaching/tables.ts";
import type { Db } from "#server/db/db.ts";
import { identities, sessions, users } from "#server/identity/tables.ts";
import { sentEmails } from "#server/mail/tables.ts";
import { courseProgress } from "#server/progress/tables.ts";
import { purchases } from "#server/purchases/tables.ts";
import { mayBeWrittenTo } from "./audiences/queries.ts";
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

/**
 * Those who get the step's email now, or belong to its control group, by their ids.
 * @param only.sending their email that was decided and is about to be sent. The pause does not concern one that a control
 * group does not get.
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
    | { readonly userId: string; readonly sending?: { readonly id: string; readonly isControl: boolean } }
  ),
): Promise<DuePerson[]> {
  const zone = coachingCalendars.timeZone;
  const sending = "sending" in only ? only.sending : undefined;
  const { rows } = (await db.execute(sql`
    select due.user_id as "userId", due.occasion, due.facts
    from (${audience}) as due
    join ${users} on ${users.id} = due.user_id
    left join ${coachingCalendars} on ${coachingCalendars.userId} = due.user_id
    where ${"userId" in only ? sql`due.user_id = ${only.userId}` : sql`due.user_id > ${only.afterId}`}
      and (due.facts ->> 'isAsked' = 'true' or ${mayBeWrittenTo()})
      and (${zone} = any(${sql.param([...zones.known])}) or (${zone} is null and ${zones.others}))
      and not exists (
        select from ${sequenceEmails} as email
        where email.user_id = due.user_id and email.id <> ${sending?.id ?? ""} and (
          (not email.is_control and not ${sending?.isControl ?? false} and email.decided_at > ${after(now, -pause)}) or
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
  const isWithin = (at: SQL, days: number) =>
    sql`(${at} > ${decidedAt} and ${at} <= ${decidedAt} + make_interval(days => ${days}))`;
  await db
    .update(sequenceEmails)
    .set({
      hasReturned: sql`exists (select from ${courseProgress} as seen
          where seen.user_id = ${userId} and ${isWithin(sql`seen.updated_at`, 3)})
        or exists (select from ${identities} as identity
          where identity.user_id = ${userId} and ${isWithin(sql`identity.last_sign_in_at`, 3)})
        or exists (select from ${sessions} as session
          where (session.sess ->> 'userId') = ${userId} and ${isWithin(sql`(session.sess ->> 'lastSeenAt')::timestamptz`, 3)})`,
    })
    .where(and(isNull(hasReturned), isOver(3)));
  await db
    .update(sequenceEmails)
    .set({
      hasBought: sql`exists (select from ${purchases} as purchase where purchase.user_id = ${userId}
        and ${isWithin(sql`purchase.completed_at`, 7)})`,
    })
    .where(and(isNull(hasBought), isOver(7)));
}

/** Of the emails that were sent, and of those that would have been. */
export function listFigures(db: Db) {
  const { sequence, step, isControl, hasReturned, hasBought } = sequenceEmails;
  const wasSent = sql`exists (select from ${sentEmails} as sent where sent.id = ${sequenceEmails.id})`;
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
    .where(or(isControl, wasSent))
    .groupBy(sequence, step, isControl);
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
