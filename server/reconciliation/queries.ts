import { and, desc, eq, inArray, isNull, lt, ne } from "drizzle-orm";
import { plans } from "#server/catalogue/tables.ts";
import type { Db } from "#server/db/db.ts";
import { users } from "#server/identity/tables.ts";
import { purchases } from "#server/purchases/tables.ts";
import { gatewayNotifications, reconciliationRuns } from "./tables.ts";

export type RunRow = typeof reconciliationRuns.$inferSelect;

/** The people and purchases that discrepancies are about, by their ids. */
export async function listAbout(
  db: Db,
  of: { readonly purchaseIds: readonly string[]; readonly userIds: readonly string[] },
): Promise<{ people: ReadonlyMap<string, Person>; bought: ReadonlyMap<string, Bought> }> {
  const { purchaseIds, userIds } = of;
  const rows =
    purchaseIds.length === 0
      ? []
      : await db
          .select({ id: purchases.id, userId: purchases.userId, planName: plans.name })
          .from(purchases)
          .innerJoin(plans, eq(plans.id, purchases.planId))
          .where(inArray(purchases.id, [...purchaseIds]));
  const { id, firstName, lastName, email, accountStatus } = users;
  const ids = [...userIds, ...rows.map((row) => row.userId)];
  const named =
    ids.length === 0
      ? []
      : await db.select({ id, firstName, lastName, email, accountStatus }).from(users).where(inArray(id, ids));
  return {
    people: new Map(named.map((person) => [person.id, person])),
    bought: new Map(rows.map((row) => [row.id, row])),
  };
}

export interface Bought {
  readonly userId: string;
  readonly planName: string;
}

export type Person = Pick<typeof users.$inferSelect, "firstName" | "lastName" | "email" | "accountStatus">;

export async function insertRun(db: Db, run: Omit<RunRow, "id">): Promise<void> {
  await db.insert(reconciliationRuns).values(run);
}

export async function lastRun(db: Db, { good }: { good: boolean }): Promise<RunRow | null> {
  const [row] = await db
    .select()
    .from(reconciliationRuns)
    .where(good ? isNull(reconciliationRuns.error) : undefined)
    .orderBy(desc(reconciliationRuns.startedAt), desc(reconciliationRuns.finishedAt))
    .limit(1);
  return row ?? null;
}

/** Stores a notification once. `isNew` is false for one that came before. */
export async function insertNotification(
  db: Db,
  notification: { id: string; event: string; transactionId: string | null; body: string },
  now: Date,
): Promise<{ isNew: boolean }> {
  const rows = await db
    .insert(gatewayNotifications)
    .values({ ...notification, receivedAt: now })
    .onConflictDoNothing()
    .returning({ id: gatewayNotifications.id });
  if (rows.length > 0) return { isNew: true };
  await db
    .update(gatewayNotifications)
    .set({ isConflicting: true })
    .where(and(eq(gatewayNotifications.id, notification.id), ne(gatewayNotifications.body, notification.body)));
  return { isNew: false };
}

export async function findNotification(db: Db, id: string): Promise<typeof gatewayNotifications.$inferSelect | null> {
  const [row] = await db.select().from(gatewayNotifications).where(eq(gatewayNotifications.id, id));
  return row ?? null;
}

export async function markApplied(db: Db, id: string, now: Date): Promise<void> {
  await db.update(gatewayNotifications).set({ appliedAt: now }).where(eq(gatewayNotifications.id, id));
}

export async function purgeNotifications(db: Db, before: Date): Promise<void> {
  await db.delete(gatewayNotifications).where(lt(gatewayNotifications.receivedAt, before));
}
