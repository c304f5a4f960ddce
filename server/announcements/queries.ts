import { and, eq, inArray, ne, notLike, or, type SQL, sql } from "drizzle-orm";
import { type AnnouncementText, type AudiencePage, filterIn, selectionIn } from "#contract/admin/announcements.ts";
import { UserFilter } from "#contract/admin/users.ts";
import { batchesOf } from "#server/batches/batches.ts";
import { lessons } from "#server/catalogue/tables.ts";
import { coaches, coachingCalendars } from "#server/coaching/tables.ts";
import type { Context } from "#server/context/context.ts";
import { type Db, rowsOf } from "#server/db/db.ts";
import { requireRowBefore } from "#server/db/paging.ts";
import { users } from "#server/identity/tables.ts";
import { ofTeam } from "#server/identity/team.ts";
import { deleted, suspended } from "#server/identity/users.ts";
import { usersIn } from "#server/people/filter/queries.ts";
import { announcementChoices, announcementRecipients, announcementSelections, announcements } from "./tables.ts";

/** When an announcement goes out. */
export interface Times {
  /** To those whose zone is not among the others. */
  readonly otherwise: Date;
  readonly inZones: ReadonlyMap<string, Date>;
}

/** Whom an announcement goes to. */
export type Addressees = Pick<AnnouncementText, "audience" | "toTeam">;

/** The members of an audience, each with why they are left out or with `total`. Excludes deleted accounts and those without an address. */
async function membersOf(ctx: Context, db: Db, { audience, toTeam }: Addressees): Promise<SQL> {
  const filter = filterIn(audience);
  const members = filter
    ? await usersIn(db, UserFilter.parse(filter), ctx.clock.now())
    : isSelected(db, selectionIn(audience) ?? "");
  const activeCoaches = db.select({ userId: coaches.userId }).from(coaches).where(eq(coaches.isActive, true));
  const isOfTeam = toTeam ? sql`false` : or(ofTeam(ctx), inArray(users.id, activeCoaches));
  return sql`
    select users.id, users.first_name, users.last_name, users.email, users.created_at,
      case when ${isOfTeam} then 'team' when ${eq(users.accountStatus, suspended)} then 'suspended'
        when not users.email_verified then 'unconfirmed' when choice.wanted is false then 'unsubscribed'
        else 'total' end as part
    from ${users} left join ${announcementChoices} as choice on choice.user_id = users.id
    where ${and(members, ne(users.accountStatus, deleted), notLike(users.email, "%.invalid"))}`;
}

function isSelected(db: Db, selectionId: string): SQL {
  const selected = db
    .select({ userId: announcementSelections.userId })
    .from(announcementSelections)
    .where(eq(announcementSelections.selectionId, selectionId));
  return inArray(users.id, selected);
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
  ctx: Context,
  addressees: Addressees,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<AudienceRow[]> {
  const isLater = after
    ? sql`and (created_at, id) < (select created_at, id from ${users} where id = ${after})`
    : undefined;
  const { rows } = (await ctx.db.execute(sql`
    with audience as materialized (${await membersOf(ctx, ctx.db, addressees)}
    ), counts as (
      select (count(*) filter (where part = 'total'))::int as total,
        (count(*) filter (where part = 'suspended'))::int as suspended,
        (count(*) filter (where part = 'team'))::int as team,
        (count(*) filter (where part = 'unconfirmed'))::int as unconfirmed,
        (count(*) filter (where part = 'unsubscribed'))::int as unsubscribed
      from audience
    )
    select counts.*, page.id, page.first_name as "firstName", page.last_name as "lastName", page.email
    from counts left join (
      select * from audience where part = 'total' ${isLater} order by created_at desc, id desc limit ${limit}
    ) as page on true
    order by page.created_at desc, page.id desc`)) as unknown as { rows: AudienceRow[] };
  if (after && rows[0]?.id === null) await requireRowBefore(ctx.db, users, eq(users.id, after));
  return rows;
}

export async function countRecipients(ctx: Context, tx: Db, addressees: Addressees): Promise<number> {
  const people = sql`(${await membersOf(ctx, tx, addressees)}) as audience`;
  const [row] = await rowsOf<{ total: number }>(
    tx,
    sql`select count(*)::int as total from ${people} where part = 'total'`,
  );
  return row?.total ?? 0;
}

/** The time zones of the recipients, as they chose them or their browsers told; null: some of them are unknown. */
export async function listZones(ctx: Context, tx: Db, addressees: Addressees): Promise<(string | null)[]> {
  const rows = await rowsOf<{ zone: string | null }>(
    tx,
    sql`select distinct calendar.time_zone as zone from (${await membersOf(ctx, tx, addressees)}) as audience
      left join ${coachingCalendars} as calendar on calendar.user_id = audience.id where part = 'total'`,
  );
  return rows.map(({ zone }) => zone);
}

/**
 * Inserts all recipients, who are due at `from` or later.
 * @param times when those in a zone are due
 * @returns their number
 */
export async function fixRecipients(
  ctx: Context,
  tx: Db,
  { id, ...addressees }: Addressees & { readonly id: string },
  from: Date,
  { otherwise, inZones }: Times = { otherwise: from, inZones: new Map() },
): Promise<number> {
  const zones = sql.param([...inZones.keys()]);
  const instants = sql.param([...inZones.values()].map((time) => time.toISOString()));
  const people = sql`
    select id as user_id, created_at as place,
      greatest(${from.toISOString()}::timestamptz, coalesce(zone.at, ${otherwise.toISOString()}::timestamptz)) as base
    from (${await membersOf(ctx, tx, addressees)}) as audience
    left join ${coachingCalendars} as calendar on calendar.user_id = audience.id
    left join unnest(${zones}::text[], ${instants}::timestamptz[]) as zone (name, at) on zone.name = calendar.time_zone
    where part = 'total'`;
  const { rowCount } = (await tx.execute(sql`
    insert into ${announcementRecipients} (announcement_id, user_id, due_at)
    select ${id}, user_id, due_at from (${inTurn(people)}) as spread`)) as unknown as { rowCount: number | null };
  return rowCount ?? 0;
}

/** Makes those who wait due at the usual rate from now on, and nobody earlier than before. */
export async function spreadWaiting(tx: Db, id: string, now: Date): Promise<void> {
  const people = sql`select user_id, greatest(due_at, ${now.toISOString()}::timestamptz) as base, due_at as place
    from ${announcementRecipients} where ${announcementBatches.isWaiting(id)}`;
  await tx.execute(sql`
    update ${announcementRecipients} as recipient set due_at = spread.due_at from (${inTurn(people)}) as spread
    where recipient.announcement_id = ${id} and recipient.user_id = spread.user_id`);
}

/** Between two mails: five a second, which mail services accept from new customers too. */
const pace = sql`interval '200 milliseconds'`;

/**
 * When each is due: at `base` or later, and `pace` after the one before.
 * @param people rows of user_id, base, and place, which orders those with an equal base
 */
function inTurn(people: SQL): SQL {
  return sql`select user_id, max(base - delay) over (order by delay) + delay as due_at from (
    select user_id, base, row_number() over (order by base, place, user_id) * ${pace} as delay from (${people}) as asked
  ) as queue`;
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
    .leftJoin(
      lessons,
      eq(lessons.id, sql`substring(${announcements.audience} from '(?:[:&]lesson=|^stopped-at:)([a-z0-9-]+)')`),
    );
}
