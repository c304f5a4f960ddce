import {
  and,
  asc,
  eq,
  getColumns,
  gt,
  inArray,
  isNull,
  lt,
  lte,
  max,
  min,
  notExists,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Tier } from "#contract/tiers.ts";
import { batched } from "#server/db/batching.ts";
import { type Db, readStatement } from "#server/db/db.ts";
import { users } from "#server/identity/tables.ts";
import type { AccessGrant, Grant, GrantEnd, Period } from "./rules.ts";
import { grantEnds, grants } from "./tables.ts";

/** `writtenAt`: when the grant, or its last end, was recorded. */
type RecordedGrant = Grant & { readonly writtenAt: Date };

/** The oldest first, each with its earliest recorded end. */
export function listGrants(db: Db, userId: string): Promise<RecordedGrant[]> {
  return batched(db, "access_grants", listGrantsOfEach)(userId);
}

/** The grants of many students, in the order of their ids. */
export async function listGrantsOfEach(db: Db, userIds: readonly string[]): Promise<RecordedGrant[][]> {
  const rows = await readStatement(db, "access_grants", (db, name) =>
    db
      .select({
        userId: grants.userId,
        id: grants.id,
        tier: grants.tier,
        source: grants.source,
        sourceId: grants.sourceId,
        purchaseId: grants.purchaseId,
        startsAt: grants.startsAt,
        endsAt: grants.endsAt,
        reason: grants.reason,
        endedAt: min(grantEnds.endsAt),
        writtenAt: sql`greatest(${grants.createdAt}, ${max(grantEnds.createdAt)})`.mapWith(grants.createdAt),
      })
      .from(grants)
      .leftJoin(grantEnds, eq(grantEnds.grantId, grants.id))
      .where(sql`${grants.userId} = any(${sql.placeholder("userIds")})`)
      .groupBy(grants.id)
      .orderBy(asc(grants.createdAt), asc(grants.id))
      .prepare(name),
  ).execute({ userIds });
  const byUser = Map.groupBy(rows, ({ userId }) => userId);
  return userIds.map((userId) => byUser.get(userId) ?? []);
}

/** Grants of many students that are in force now or later. Expired ones do not matter. */
export function listGrantsNotOver(
  db: Db,
  userIds: readonly string[],
  now: Date,
): Promise<(AccessGrant & { userId: string })[]> {
  const { id, userId, tier, source, startsAt, endsAt } = grants;
  const endedAt = min(grantEnds.endsAt);
  return db
    .select({ id, userId, tier, source, startsAt, endsAt, endedAt })
    .from(grants)
    .leftJoin(grantEnds, eq(grantEnds.grantId, id))
    .where(and(sql`${userId} = any(${sql.param([...userIds])})`, or(isNull(endsAt), gt(endsAt, now))))
    .groupBy(id)
    .having(or(isNull(endedAt), gt(endedAt, now)));
}

/** Every recorded end of a student's grants, the oldest first. */
export function listEnds(db: Db, userId: string): Promise<GrantEnd[]> {
  const { id, grantId, endsAt, replacedBy } = getColumns(grantEnds);
  return db
    .select({ id, grantId, endsAt, replacedBy })
    .from(grantEnds)
    .innerJoin(grants, eq(grants.id, grantId))
    .where(eq(grants.userId, userId))
    .orderBy(asc(endsAt), asc(id));
}

/** Of all students, without grants that ended before they began. Selects instants as numbers, which parse faster. */
export async function listPeriodsOfTier(db: Db, tier: Tier): Promise<(Period & { userId: string })[]> {
  const { id, userId, startsAt, purchaseId } = grants;
  const ends = db
    .select({ grantId: grantEnds.grantId, at: min(grantEnds.endsAt).as("at") })
    .from(grantEnds)
    .groupBy(grantEnds.grantId)
    .as("ends");
  const endsAt = sql`least(${grants.endsAt}, ${ends.at})`;
  const rows = await db
    .select({
      ...{ userId, purchaseId },
      startsAt: sql<number>`${epochMs(startsAt)}`.mapWith(dateOf),
      endsAt: sql<number | null>`${epochMs(endsAt)}`.mapWith(dateOf),
    })
    .from(grants)
    .leftJoin(ends, eq(ends.grantId, id))
    .where(and(eq(grants.tier, tier), sql`coalesce(${endsAt} > ${startsAt}, true)`));
  return rows.map((row) => Object.assign(row, { tier, endedAt: null }));
}

function epochMs(instant: SQLWrapper) {
  return sql`date_part('epoch', ${instant}) * 1000`;
}

function dateOf(milliseconds: number): Date {
  return new Date(milliseconds);
}

export async function listCaches(
  db: Db,
  afterId: string,
  limit: number,
): Promise<{ id: string; tier: string | null; hasPurchased: boolean; grants: Grant[] }[]> {
  const page = await db
    .select({ id: users.id, tier: users.purchasedTier, hasPurchased: users.hasPurchasedCourse })
    .from(users)
    .where(gt(users.id, afterId))
    .orderBy(asc(users.id))
    .limit(limit);
  const last = page.at(-1);
  if (!last) return [];
  const { userId, createdAt: _createdAt, ...columns } = getColumns(grants);
  const rows = await db
    .select({ userId, ...columns, endedAt: min(grantEnds.endsAt) })
    .from(grants)
    .leftJoin(grantEnds, eq(grantEnds.grantId, grants.id))
    .where(and(gt(userId, afterId), lte(userId, last.id)))
    .groupBy(grants.id);
  const byUser = Map.groupBy(rows, (row) => row.userId);
  return page.map((user) => ({ ...user, grants: byUser.get(user.id) ?? [] }));
}

/**
 * The ids of students whose access ends in between, unless a subscription renews it.
 * @param from exclusive; a grant that was cut short by then has ended
 */
export function selectEnding(from: Date, until: Date): SQL {
  const isCut = (grant: string, by: Date) =>
    sql`exists (select from ${grantEnds} as cut where cut.grant_id = ${sql.raw(grant)}.id and cut.ends_at <= ${by})`;
  return sql`(
    select ending.user_id from ${grants} as ending
    where ending.ends_at > ${from} and ending.ends_at <= ${until} and not ${isCut("ending", from)} and not exists (
      select from ${grants} as longer
      where longer.user_id = ending.user_id and coalesce(longer.ends_at > ${until}, true) and not ${isCut("longer", until)}
    ))`;
}

export async function findEnd(db: Db, endId: string) {
  const [row] = await db
    .select({ grant: grants, endsAt: grantEnds.endsAt })
    .from(grantEnds)
    .innerJoin(grants, eq(grants.id, grantEnds.grantId))
    .where(eq(grantEnds.id, endId));
  return row ?? null;
}

export function findGrant(db: Db, id: string): Promise<(typeof grants.$inferSelect)[]> {
  return db.select().from(grants).where(eq(grants.id, id));
}

/** Without grace periods, upgrades, and ends by an administrator who gave another tier at that instant. */
export function listEndsOf(db: Db, of: { readonly userId: string; readonly purchaseId: string }) {
  const made = alias(grants, "made");
  const gift = alias(grants, "gift");
  const isGivenThen = and(
    eq(gift.userId, of.userId),
    eq(gift.source, "administrator"),
    eq(gift.startsAt, grantEnds.endsAt),
  );
  return db
    .select({ id: grantEnds.id })
    .from(grantEnds)
    .innerJoin(grants, eq(grants.id, grantEnds.grantId))
    .where(
      and(
        eq(grants.userId, of.userId),
        eq(grants.purchaseId, of.purchaseId),
        inArray(grants.source, ["purchase", "renewal", "credit-returned"]),
        isNull(grantEnds.replacedBy),
        or(isNull(grants.endsAt), lt(grantEnds.endsAt, grants.endsAt)),
        notExists(db.select({ id: made.id }).from(made).where(eq(made.sourceId, grantEnds.id))),
        notExists(db.select({ id: gift.id }).from(gift).where(isGivenThen)),
      ),
    );
}

/** In force now or later. */
export function grantsNotOver(now: Date) {
  return sql`(
    select * from ${grants} where (ends_at is null or ends_at > ${now})
      and not exists (select from ${grantEnds} e where e.grant_id = ${grants.id} and e.ends_at <= ${now}))`;
}
