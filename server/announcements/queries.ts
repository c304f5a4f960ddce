import { and, desc, eq, exists, inArray, isNull, ne, not, notLike, type SQL, sql } from "drizzle-orm";
import type { Audience, AudiencePage, AudienceState } from "#contract/admin/announcements.ts";
import type { Tier } from "#contract/tiers.ts";
import { lessons, modules } from "#server/catalogue/tables.ts";
import type { Db } from "#server/db/db.ts";
import { users } from "#server/identity/tables.ts";
import { deleted, suspended } from "#server/identity/users.ts";
import { courseProgress } from "#server/progress/tables.ts";
import { statusesShownAs } from "#server/subscriptions/subscriptions.ts";
import { subscriptions } from "#server/subscriptions/tables.ts";
import { announcementChoices, announcementRecipients, announcements, type Outcome } from "./tables.ts";

/** Whose mail it would be: nobody who left, and nobody without an address. */
function belongsTo(db: Db, audience: Audience): SQL | undefined {
  const reachable = and(ne(users.accountStatus, deleted), notLike(users.email, "%.invalid"));
  const [kind, which = ""] = audience.split(":");
  if (kind === "tier") return and(reachable, which === "none" ? isNull(users.purchasedTier) : hasTier(which as Tier));
  if (kind === "state") return and(reachable, isIn(db, which as AudienceState));
  if (kind === "stopped-at") return and(reachable, sql`${users.id} in (${stoppedAt(which)})`);
  return reachable;
}

function hasTier(tier: Tier): SQL {
  return eq(users.purchasedTier, tier);
}

function isIn(db: Db, state: AudienceState): SQL | undefined {
  if (state === "former") return and(eq(users.hasPurchasedCourse, true), isNull(users.purchasedTier));
  if (state !== "declined") return eq(users.accountStatus, state);
  const declined = db
    .select({ userId: subscriptions.userId })
    .from(subscriptions)
    .where(inArray(subscriptions.status, [...statusesShownAs.declined]));
  return inArray(users.id, declined);
}

/** As the learning figures count: begun, not completed, and nothing after it in the course was begun. */
function stoppedAt(lessonId: string): SQL {
  return sql`select here.user_id from ${courseProgress} as here
    where here.lesson_id = ${lessonId} and not here.is_completed and not exists (
      select from ${courseProgress} as later
      where later.user_id = here.user_id and later.lesson_id = any(array(${lessonsAfter(lessonId)}))
    )`;
}

/** As an array it is made once, and each person's rows are then found by the index. */
function lessonsAfter(lessonId: string): SQL {
  return sql`select lesson.id from ${lessons} as lesson join ${modules} as module on module.id = lesson.module_id
    where row(module.position, lesson.position, lesson.id) > (
      select module.position, lesson.position, lesson.id
      from ${lessons} as lesson join ${modules} as module on module.id = lesson.module_id
      where lesson.id = ${lessonId}
    )`;
}

const isSuspended = eq(users.accountStatus, suspended);

function hasUnsubscribed(db: Db): SQL {
  const refusals = db
    .select({ one: sql`1` })
    .from(announcementChoices)
    .where(and(eq(announcementChoices.userId, users.id), not(announcementChoices.wanted)));
  return exists(refusals);
}

/** Who gets it now. */
function audienceOf(db: Db, audience: Audience): SQL | undefined {
  return and(belongsTo(db, audience), users.emailVerified, not(isSuspended), not(hasUnsubscribed(db)));
}

export async function countAudience(db: Db, audience: Audience): Promise<Omit<AudiencePage, "people">> {
  const unsubscribed = sql`${announcementChoices.wanted} is false`;
  const counted = (which: SQL | undefined) => sql<number>`(count(*) filter (where ${which}))::int`;
  const [counts] = await db
    .select({
      total: counted(and(users.emailVerified, not(isSuspended), not(unsubscribed))),
      suspended: counted(isSuspended),
      unconfirmed: counted(and(not(isSuspended), not(users.emailVerified))),
      unsubscribed: counted(and(not(isSuspended), users.emailVerified, unsubscribed)),
    })
    .from(users)
    .leftJoin(announcementChoices, eq(announcementChoices.userId, users.id))
    .where(belongsTo(db, audience));
  return counts ?? { total: 0, suspended: 0, unconfirmed: 0, unsubscribed: 0 };
}

/** Who joined last first. */
export function listAudience(
  db: Db,
  audience: Audience,
  page: { readonly limit: number; readonly after?: string | undefined },
) {
  const last = sql`(select created_at, id from ${users} where id = ${page.after ?? ""})`;
  const isLater = page.after ? sql`(${users.createdAt}, ${users.id}) < ${last}` : undefined;
  return db
    .select({ id: users.id, firstName: users.firstName, lastName: users.lastName, email: users.email })
    .from(users)
    .where(and(audienceOf(db, audience), isLater))
    .orderBy(desc(users.createdAt), desc(users.id))
    .limit(page.limit);
}

/** Everybody in the audience, the first due at `from`. @returns how many they are. */
export async function fixRecipients(
  tx: Db,
  { id, audience }: { readonly id: string; readonly audience: Audience },
  { from, pace }: { readonly from: Date; readonly pace: number },
): Promise<number> {
  const order = sql`row_number() over (order by ${users.createdAt}, ${users.id})`;
  const chosen = tx
    .select({
      announcementId: sql<string>`${id}`.as("announcement_id"),
      userId: users.id,
      dueAt: sql<Date>`${dueAt(from, pace, order)}`.as("due_at"),
      tries: sql<number>`0`.as("tries"),
      outcome: sql<Outcome | null>`null`.as("outcome"),
      closedAt: sql<Date | null>`null::timestamptz`.as("closed_at"),
    })
    .from(users)
    .where(audienceOf(tx, audience));
  const inserted = (await tx.insert(announcementRecipients).select(chosen)) as unknown as { rowCount: number | null };
  return inserted.rowCount ?? 0;
}

/** Of the recipient with this number, counted from 1. */
export function dueAt(from: Date, pace: number, number: SQL): SQL {
  return sql`${from.toISOString()}::timestamptz + (${number} - 1) * ${`${pace} milliseconds`}::interval`;
}

export function isWaiting(announcementId: string, userId: string): SQL | undefined {
  return and(
    eq(announcementRecipients.announcementId, announcementId),
    eq(announcementRecipients.userId, userId),
    isNull(announcementRecipients.outcome),
  );
}

/** A recipient as they are now, with the state of the announcement. */
export async function findWaiting(db: Db, announcementId: string, userId: string) {
  const [found] = await db
    .select({ state: announcements.state, user: users })
    .from(announcementRecipients)
    .innerJoin(announcements, eq(announcements.id, announcementRecipients.announcementId))
    .innerJoin(users, eq(users.id, announcementRecipients.userId))
    .where(isWaiting(announcementId, userId));
  return found ?? null;
}

/** The newest first. */
export function listFound(db: Db, limit: number, id?: string) {
  const waiting = (time: SQL) =>
    sql<string | null>`${db
      .select({ time })
      .from(announcementRecipients)
      .where(
        and(eq(announcementRecipients.announcementId, announcements.id), isNull(announcementRecipients.outcome)),
      )}`;
  return db
    .select({
      row: announcements,
      lessonTitle: lessons.title,
      startsAt: waiting(sql`min(${announcementRecipients.dueAt})`),
      endsAt: waiting(sql`max(${announcementRecipients.dueAt})`),
    })
    .from(announcements)
    .leftJoin(lessons, eq(lessons.id, sql`split_part(${announcements.audience}, 'stopped-at:', 2)`))
    .where(id === undefined ? undefined : eq(announcements.id, id))
    .orderBy(desc(announcements.createdAt), desc(announcements.id))
    .limit(limit);
}
