import { and, eq, exists, inArray, isNull, ne, not, notLike, type SQL, sql } from "drizzle-orm";
import type { Audience, AudiencePage, AudienceState } from "#contract/admin/announcements.ts";
import type { Tier } from "#contract/tiers.ts";
import { batchesOf } from "#server/batches/batches.ts";
import { lessons, modules } from "#server/catalogue/tables.ts";
import type { Db } from "#server/db/db.ts";
import { requireRowBefore } from "#server/db/paging.ts";
import { users } from "#server/identity/tables.ts";
import { deleted, suspended } from "#server/identity/users.ts";
import { courseProgress } from "#server/progress/tables.ts";
import { statusesShownAs } from "#server/subscriptions/subscriptions.ts";
import { subscriptions } from "#server/subscriptions/tables.ts";
import {
  announcementChoices,
  announcementRecipients,
  announcementSelections,
  announcements,
  type Outcome,
} from "./tables.ts";

/** The members of an audience. Excludes deleted accounts and those without an address. */
function belongsTo(db: Db, audience: Audience): SQL | undefined {
  const reachable = and(ne(users.accountStatus, deleted), notLike(users.email, "%.invalid"));
  const [kind, which = ""] = audience.split(":");
  if (kind === "tier") return and(reachable, which === "none" ? isNull(users.purchasedTier) : hasTier(which as Tier));
  if (kind === "state") return and(reachable, isIn(db, which as AudienceState));
  if (kind === "selection") return and(reachable, isSelected(db, which));
  if (kind === "stopped-at") return and(reachable, sql`${users.id} in (${stoppedAt(which)})`);
  return reachable;
}

function isSelected(db: Db, selectionId: string): SQL {
  const selected = db
    .select({ userId: announcementSelections.userId })
    .from(announcementSelections)
    .where(eq(announcementSelections.selectionId, selectionId));
  return inArray(users.id, selected);
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

/** Like in the learning figures: those who began the lesson, did not complete it, and began no later one. */
function stoppedAt(lessonId: string): SQL {
  return sql`select here.user_id from ${courseProgress} as here
    where here.lesson_id = ${lessonId} and not here.is_completed and not exists (
      select from ${courseProgress} as later
      where later.user_id = here.user_id and later.lesson_id = any(array(${lessonsAfter(lessonId)}))
    )`;
}

/** An array, so that it is computed once and each person's rows are found by the index. */
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

/** The recipients if it were sent now. */
function audienceOf(db: Db, audience: Audience): SQL | undefined {
  return and(belongsTo(db, audience), users.emailVerified, not(isSuspended), not(hasUnsubscribed(db)));
}

type AudienceRow = Omit<AudiencePage, "rows" | "total"> & {
  readonly total: number;
  readonly id: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string;
};

/**
 * The counts, with a page of the recipients, the newest accounts first; a row without an id when there are none. One
 * statement, because finding those who stopped at a lesson is slow.
 */
export async function readAudience(
  db: Db,
  audience: Audience,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<AudienceRow[]> {
  const isLater = after
    ? sql`and (created_at, id) < (select created_at, id from ${users} where id = ${after})`
    : undefined;
  const { rows } = (await db.execute(sql`
    with audience as materialized (
      select users.id, users.first_name, users.last_name, users.email, users.created_at,
        case when ${isSuspended} then 'suspended' when not users.email_verified then 'unconfirmed'
          when choice.wanted is false then 'unsubscribed' else 'total' end as part
      from ${users} left join ${announcementChoices} as choice on choice.user_id = users.id
      where ${belongsTo(db, audience)}
    ), counts as (
      select (count(*) filter (where part = 'total'))::int as total,
        (count(*) filter (where part = 'suspended'))::int as suspended,
        (count(*) filter (where part = 'unconfirmed'))::int as unconfirmed,
        (count(*) filter (where part = 'unsubscribed'))::int as unsubscribed
      from audience
    )
    select counts.*, page.id, page.first_name as "firstName", page.last_name as "lastName", page.email
    from counts left join (
      select * from audience where part = 'total' ${isLater} order by created_at desc, id desc limit ${limit}
    ) as page on true
    order by page.created_at desc, page.id desc`)) as unknown as { rows: AudienceRow[] };
  if (after && rows[0]?.id === null) await requireRowBefore(db, users, eq(users.id, after));
  return rows;
}

/** Inserts all recipients, the first due at `from`. @returns their number. */
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

/** When the recipient with this number, from 1, is due. */
export function dueAt(from: Date, pace: number, number: SQL): SQL {
  return sql`${from.toISOString()}::timestamptz + (${number} - 1) * ${`${pace} milliseconds`}::interval`;
}

export const announcementBatches = batchesOf("send-announcement", {
  noun: "announcement",
  batches: announcements,
  people: announcementRecipients,
  person: announcementRecipients.userId,
  batchOf: announcementRecipients.announcementId,
  dueAt: announcementRecipients.dueAt,
  unreached: { outcome: "stopped" },
});

/** The recipient's current row, with the state of the announcement. */
export async function findWaiting(db: Db, announcementId: string, userId: string) {
  const [found] = await db
    .select({ state: announcements.state, user: users })
    .from(announcementRecipients)
    .innerJoin(announcements, eq(announcements.id, announcementRecipients.announcementId))
    .innerJoin(users, eq(users.id, announcementRecipients.userId))
    .where(announcementBatches.isWaiting(announcementId, userId));
  return found ?? null;
}

/** Announcements, each with when its first and its last email that waits is due. */
export function withSchedule(db: Db) {
  const waiting = (time: SQL) =>
    sql<string | null>`${db
      .select({ time })
      .from(announcementRecipients)
      .where(announcementBatches.isWaiting(announcements.id))}`;
  return db
    .select({
      row: announcements,
      lessonTitle: lessons.title,
      startsAt: waiting(sql`min(${announcementRecipients.dueAt})`),
      endsAt: waiting(sql`max(${announcementRecipients.dueAt})`),
    })
    .from(announcements)
    .leftJoin(lessons, eq(lessons.id, sql`split_part(${announcements.audience}, 'stopped-at:', 2)`));
}
