import { and, desc, eq, gt, isNull, lt, ne, or, sql } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import type { Finding } from "./rules.ts";
import { gatewayNotifications, reconciliationBreaks, reconciliationRuns } from "./tables.ts";

export type BreakRow = typeof reconciliationBreaks.$inferSelect;
export type RunRow = typeof reconciliationRuns.$inferSelect;

/**
 * Stores a break once, however often it is found; false when it was known. A dispute that was won and then lost after all
 * is open again: only those are found once more after they were resolved and mean something new.
 */
export async function insertBreak(db: Db, finding: Finding & { kind: BreakRow["kind"] }, now: Date): Promise<boolean> {
  const { kind, transactionId, attempt, foundCents } = finding;
  const rows = await db
    .insert(reconciliationBreaks)
    .values({
      key: `${kind}:${transactionId ?? attempt?.attemptId}`,
      kind,
      transactionId,
      attemptId: attempt?.attemptId ?? null,
      purchaseId: attempt?.purchaseId ?? null,
      expected: attempt?.amountCents ?? null,
      found: foundCents,
      foundAt: now,
    })
    .onConflictDoUpdate({
      target: reconciliationBreaks.key,
      set: { foundAt: now, resolvedAt: null, resolution: null, resolvedBy: null },
      setWhere: sql`${reconciliationBreaks.kind} = 'disputed' and ${reconciliationBreaks.resolvedAt} is not null`,
    })
    .returning({ id: reconciliationBreaks.id });
  return rows.length > 0;
}

export function listBreaks(db: Db, resolvedSince: Date): Promise<BreakRow[]> {
  return db
    .select()
    .from(reconciliationBreaks)
    .where(or(isNull(reconciliationBreaks.resolvedAt), gt(reconciliationBreaks.resolvedAt, resolvedSince)))
    .orderBy(desc(isNull(reconciliationBreaks.resolvedAt)), desc(reconciliationBreaks.foundAt))
    .limit(500);
}

/** Takes an open break for whoever mends it; null when it is mended, or somebody else is at it. */
export async function claimBreak(db: Db, id: string, now: Date, staleBefore: Date): Promise<BreakRow | null> {
  const [row] = await db
    .update(reconciliationBreaks)
    .set({ claimedAt: now })
    .where(
      and(
        eq(reconciliationBreaks.id, id),
        isNull(reconciliationBreaks.resolvedAt),
        or(isNull(reconciliationBreaks.claimedAt), lt(reconciliationBreaks.claimedAt, staleBefore)),
      ),
    )
    .returning();
  return row ?? null;
}

/** Gives a claimed break back, for it could not be mended. */
export async function releaseBreak(db: Db, id: string): Promise<void> {
  await db.update(reconciliationBreaks).set({ claimedAt: null }).where(eq(reconciliationBreaks.id, id));
}

/** Writes down that a break is mended, how and by whom. */
export async function resolveBreak(
  db: Db,
  id: string,
  resolution: string,
  resolvedBy: string,
  now: Date,
): Promise<void> {
  await db
    .update(reconciliationBreaks)
    .set({ claimedAt: null, resolvedAt: now, resolution, resolvedBy })
    .where(eq(reconciliationBreaks.id, id));
}

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
