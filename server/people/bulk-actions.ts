import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import type { Page, Paging } from "#contract/admin/admin.ts";
import type { SkipReason } from "#contract/admin/bulk-actions.ts";
import { DAY } from "#server/base/clock.ts";
import { batchesOf } from "#server/batches/batches.ts";
import type { Db } from "#server/db/db.ts";
import { selectPage } from "#server/db/paging.ts";
import type { RetentionRule } from "#server/db/retention.ts";
import { bulkActionPeople, bulkActions, type StateBefore } from "./tables.ts";

export { listPageOfPeople, listPeopleOf } from "./queries.ts";

export const bulkBatches = batchesOf("bulk-action", {
  noun: "bulk action",
  auditNoun: "many",
  batches: bulkActions,
  people: bulkActionPeople,
  person: bulkActionPeople.userId,
  batchOf: bulkActionPeople.bulkActionId,
  unreached: { outcome: "skipped", skippedBecause: "stopped" },
});

export type BulkActionRow = typeof bulkActions.$inferSelect;
export type BulkPersonRow = typeof bulkActionPeople.$inferSelect;

/** Null when an action with this id, or another that undoes the same one, exists already. */
export async function addBulkAction(
  tx: Db,
  row: Pick<BulkActionRow, "id" | "actorId" | "kind" | "tier" | "endsAt" | "reason" | "undoes">,
  now: Date,
): Promise<BulkActionRow | null> {
  const [made] = await tx
    .insert(bulkActions)
    .values({ ...row, createdAt: now })
    .onConflictDoNothing()
    .returning();
  return made ?? null;
}

/** Keeps their order. Those with a reason count as skipped from the start. */
export async function storePeople(
  tx: Db,
  bulkActionId: string,
  people: readonly { readonly userId: string; readonly skippedBecause: SkipReason | null }[],
  now: Date,
): Promise<void> {
  const skipped = people.filter(({ skippedBecause }) => skippedBecause !== null).length;
  const userIds = sql.param(people.map(({ userId }) => userId));
  const becauses = sql.param(people.map(({ skippedBecause }) => skippedBecause ?? ""));
  await tx.execute(sql`
    insert into ${bulkActionPeople} (bulk_action_id, user_id, number, outcome, skipped_because, action_id, closed_at)
    select ${bulkActionId}, user_id, number, case when reason <> '' then 'skipped' end, nullif(reason, ''),
      replace(gen_random_uuid()::text, '-', ''), case when reason <> '' then ${now.toISOString()}::timestamptz end
    from unnest(${userIds}::text[], ${becauses}::text[])
      with ordinality as chosen (user_id, reason, number)`);
  await tx.update(bulkActions).set({ people: people.length, skipped }).where(eq(bulkActions.id, bulkActionId));
}

/** The newest first. */
export async function listBulkActionRows(db: Db, page: Paging): Promise<Page<BulkActionRow>> {
  const part = { ...page, table: bulkActions, id: bulkActions.id, key: bulkActions.createdAt, where: undefined };
  return selectPage(db, db.select().from(bulkActions).$dynamic(), part);
}

export function listUndosOf(db: Db, ids: readonly string[]): Promise<BulkActionRow[]> {
  return db
    .select()
    .from(bulkActions)
    .where(inArray(bulkActions.undoes, [...ids]));
}

/** Grouped by reason, the most frequent first. */
export function countSkipped(db: Db, id: string) {
  const people = sql<number>`count(*)::int`;
  return db
    .select({ reason: sql<SkipReason>`${bulkActionPeople.skippedBecause}`, people })
    .from(bulkActionPeople)
    .where(and(eq(bulkActionPeople.bulkActionId, id), eq(bulkActionPeople.outcome, "skipped")))
    .groupBy(bulkActionPeople.skippedBecause)
    .orderBy(desc(people), asc(bulkActionPeople.skippedBecause));
}

/** Those with failed tries come last. */
export function listWaiting(db: Db, id: string, limit: number): Promise<BulkPersonRow[]> {
  return db
    .select()
    .from(bulkActionPeople)
    .where(bulkBatches.isWaiting(id))
    .orderBy(asc(bulkActionPeople.tries), asc(bulkActionPeople.number))
    .limit(limit);
}

/** Lock the action and the user first. Null when the person no longer waits. */
export async function lockWaiting(tx: Db, id: string, userId: string): Promise<BulkPersonRow | null> {
  const [row] = await tx.select().from(bulkActionPeople).where(bulkBatches.isWaiting(id, userId)).for("update");
  return row ?? null;
}

/** What the action that is undone did to the same person. */
export async function findDone(db: Db, id: string, userId: string): Promise<BulkPersonRow | null> {
  const [row] = await db
    .select()
    .from(bulkActionPeople)
    .where(and(eq(bulkActionPeople.bulkActionId, id), eq(bulkActionPeople.userId, userId)));
  return row?.outcome === "done" ? row : null;
}

export async function closePerson(
  tx: Db,
  { bulkActionId: id, userId }: Pick<BulkPersonRow, "bulkActionId" | "userId">,
  closed: { readonly skippedBecause: SkipReason | null; readonly before: StateBefore | null },
  now: Date,
): Promise<void> {
  const outcome = closed.skippedBecause === null ? "done" : "skipped";
  await bulkBatches.close(tx, { id, userId }, { ...closed, outcome, closedAt: now }, outcome);
}

/** @returns the number of failed tries. */
export async function noteFailedTry(db: Db, { bulkActionId, userId }: BulkPersonRow): Promise<number> {
  const [row] = await db
    .update(bulkActionPeople)
    .set({ tries: sql`${bulkActionPeople.tries} + 1` })
    .where(bulkBatches.isWaiting(bulkActionId, userId))
    .returning({ tries: bulkActionPeople.tries });
  return row?.tries ?? 0;
}

/** Longer than the period in which an action can be undone. */
export const bulkPersonRetention: RetentionRule = {
  table: bulkActionPeople,
  from: bulkActionPeople.closedAt,
  keptFor: 60 * DAY,
};
