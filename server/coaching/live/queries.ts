import { and, asc, desc, eq, gt, inArray, isNotNull, lte, ne, sql } from "drizzle-orm";
import { type Tier, tierOpens, tiers } from "#contract/tiers.ts";
import { notFound } from "#server/base/refusal.ts";
import { type Db, readStatement } from "#server/db/db.ts";
import { users } from "#server/identity/tables.ts";
import type { LiveRow } from "../queries.ts";
import { coaches, liveSeats, liveSessions } from "../tables.ts";

export type SeatRow = typeof liveSeats.$inferSelect;

export interface LiveWithCoach {
  readonly session: LiveRow;
  readonly coach: typeof coaches.$inferSelect;
  readonly coming: number;
}

function withCoach(db: Db) {
  const coming = sql<number>`(select count(*)::int from ${liveSeats}
    where ${liveSeats.sessionId} = ${liveSessions.id} and ${liveSeats.state} = 'taken')`;
  return db
    .select({ session: liveSessions, coach: coaches, coming })
    .from(liveSessions)
    .innerJoin(coaches, eq(coaches.userId, liveSessions.coachId));
}

/** The next first. */
export function listComing(db: Db, now: Date): Promise<LiveWithCoach[]> {
  return withCoach(db)
    .where(and(gt(liveSessions.endsAt, now), eq(liveSessions.state, "scheduled")))
    .orderBy(asc(liveSessions.startsAt), asc(liveSessions.id));
}

/** Without cancelled ones, the newest first. */
export function listOver(db: Db, now: Date, limit: number): Promise<LiveWithCoach[]> {
  return withCoach(db)
    .where(and(lte(liveSessions.endsAt, now), ne(liveSessions.state, "cancelled")))
    .orderBy(desc(liveSessions.startsAt), desc(liveSessions.id))
    .limit(limit);
}

/** In any state, the newest first. */
export function listSince(db: Db, since: Date, coachId?: string): Promise<LiveWithCoach[]> {
  return withCoach(db)
    .where(and(gt(liveSessions.startsAt, since), coachId === undefined ? undefined : eq(liveSessions.coachId, coachId)))
    .orderBy(desc(liveSessions.startsAt), desc(liveSessions.id));
}

export async function findLive(db: Db, id: string): Promise<LiveWithCoach | null> {
  const [row] = await withCoach(db).where(eq(liveSessions.id, id));
  return row ?? null;
}

/** @throws Refusal not-found. */
export async function lockLive(tx: Db, id: string): Promise<LiveRow> {
  const [row] = await tx.select().from(liveSessions).where(eq(liveSessions.id, id)).for("update");
  if (!row) throw notFound("session");
  return row;
}

export function listSeatsOf(db: Db, userId: string): Promise<SeatRow[]> {
  return db.select().from(liveSeats).where(eq(liveSeats.userId, userId));
}

export async function findSeat(db: Db, sessionId: string, userId: string): Promise<SeatRow | null> {
  const [row] = await db
    .select()
    .from(liveSeats)
    .where(and(eq(liveSeats.sessionId, sessionId), eq(liveSeats.userId, userId)));
  return row ?? null;
}

export async function listComers(db: Db, sessionId: string): Promise<string[]> {
  const rows = await db
    .select({ userId: liveSeats.userId })
    .from(liveSeats)
    .where(and(eq(liveSeats.sessionId, sessionId), eq(liveSeats.state, "taken")))
    .orderBy(asc(liveSeats.userId));
  return rows.map(({ userId }) => userId);
}

export async function listQuestions(db: Db, sessionIds: readonly string[]): Promise<Map<string, string[]>> {
  if (sessionIds.length === 0) return new Map();
  const rows = await db
    .select({ sessionId: liveSeats.sessionId, question: liveSeats.question })
    .from(liveSeats)
    .where(
      and(inArray(liveSeats.sessionId, [...sessionIds]), eq(liveSeats.state, "taken"), isNotNull(liveSeats.question)),
    )
    .orderBy(asc(liveSeats.createdAt));
  const bySession = Map.groupBy(rows, (row) => row.sessionId);
  return new Map([...bySession].map(([id, seats]) => [id, seats.flatMap(({ question }) => question ?? [])]));
}

/** Sorted, so that all nodes return the same. */
export async function listRecordingVideos(db: Db): Promise<string[]> {
  const rows = await readStatement(db, "coaching_recordings", (db, name) =>
    db
      .selectDistinct({ videoId: liveSessions.recordingVideoId })
      .from(liveSessions)
      .where(isNotNull(liveSessions.recordingVideoId))
      .orderBy(asc(liveSessions.recordingVideoId))
      .prepare(name),
  ).execute();
  return rows.flatMap(({ videoId }) => videoId ?? []);
}

/** The next page, by id. */
export async function listOnTier(db: Db, tier: Tier, afterId: string, limit: number): Promise<string[]> {
  const opening = tiers.filter((each) => tierOpens(each, tier));
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.purchasedTier, opening), eq(users.accountStatus, "active"), gt(users.id, afterId)))
    .orderBy(asc(users.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}
