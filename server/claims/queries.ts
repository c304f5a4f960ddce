import { and, count, countDistinct, eq, gte, inArray, min, ne } from "drizzle-orm";
import { bookings, liveSessions } from "#server/coaching/tables.ts";
import type { Db } from "#server/db/db.ts";
import { users } from "#server/identity/tables.ts";
import { purchases } from "#server/purchases/tables.ts";
import type { Figures } from "./rules.ts";

export async function readFigures(db: Db, salesSince: Date): Promise<Figures> {
  // Sequentially, as a transaction has one connection.
  const students = await db
    .select({ count: countDistinct(purchases.userId) })
    .from(purchases)
    .where(eq(purchases.status, "completed"));
  const sales = await db
    .select({ planId: purchases.planId, count: count() })
    .from(purchases)
    .where(and(eq(purchases.status, "completed"), gte(purchases.completedAt, salesSince)))
    .groupBy(purchases.planId);
  const live = await db
    .select({ at: min(liveSessions.startsAt) })
    .from(liveSessions)
    .where(ne(liveSessions.state, "cancelled"));
  const single = await db
    .select({ at: min(bookings.startsAt) })
    .from(bookings)
    .where(eq(bookings.state, "held"));
  return {
    students: students[0]?.count ?? 0,
    sales: new Map(sales.map(({ planId, count }) => [planId, count])),
    firstLiveSession: live[0]?.at ?? null,
    firstOneOnOne: single[0]?.at ?? null,
  };
}

export async function listAddresses(db: Db, userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(inArray(users.id, [...userIds]));
  return new Map(rows.map(({ id, email }) => [id, email]));
}
