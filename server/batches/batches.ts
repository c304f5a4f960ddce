import { and, eq, type InferInsertModel, isNull, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { Db } from "#server/db/db.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";

export const Turn = z.object({ id: z.string(), turn: z.int() });
export type Turn = z.output<typeof Turn>;

type Table<Columns extends string> = PgTable & Record<Columns, PgColumn>;

/**
 * Work on many people, such as an announcement. Each turn is a job that deals with a few of them and schedules the
 * next turn. A person without an outcome waits; the totals of the batch outlive the rows of people.
 */
export function batchesOf<Batches extends Table<"id" | "turn" | "state">, People extends Table<"userId" | "outcome">>(
  kind: string,
  {
    batches,
    people,
    batchOf,
    underWay,
  }: { readonly batches: Batches; readonly people: People; readonly batchOf: PgColumn; readonly underWay: string },
) {
  const job = defineJob(kind, Turn);

  function schedule(db: Db, { id, turn }: Turn, runAt: Date, now: Date): Promise<void> {
    return scheduleJob(db, job, { data: { id, turn }, key: `${id} ${turn}`, runAt, now });
  }

  function isWaiting(id: string | PgColumn, userId?: string): SQL | undefined {
    return and(eq(batchOf, id), userId === undefined ? undefined : eq(people.userId, userId), isNull(people.outcome));
  }

  return {
    job,
    isWaiting,

    /** Makes jobs of earlier turns do nothing. Lock the batch first. */
    async scheduleNextTurn(tx: Db, { id, turn }: Turn, runAt: Date, now: Date): Promise<void> {
      const next = { id, turn: turn + 1 };
      await tx.update<PgTable>(batches).set({ state: underWay, turn: next.turn }).where(eq(batches.id, id));
      await schedule(tx, next, runAt, now);
    },

    /** Schedules batches again whose job failed for good. */
    async scheduleAgain(db: Db, now: Date): Promise<void> {
      const found = await db
        .select({ id: batches.id, turn: batches.turn })
        .from<PgTable>(batches)
        .where(eq(batches.state, underWay));
      for (const row of found) await schedule(db, Turn.parse(row), now, now);
    },

    /** Records the outcome of a person who waits, once, and counts it in a total of the batch. */
    async close(
      tx: Db,
      { id, userId }: { readonly id: string; readonly userId: string },
      outcome: Partial<InferInsertModel<People>>,
      total: keyof InferInsertModel<Batches> & keyof Batches,
    ): Promise<void> {
      const closed = await tx
        .update<PgTable>(people)
        .set(outcome as object)
        .where(isWaiting(id, userId))
        .returning({ userId: people.userId });
      if (closed.length === 0) return;
      await tx
        .update<PgTable>(batches)
        .set({ [total]: sql`${batches[total]} + 1` })
        .where(eq(batches.id, id));
    },

    /** Records this outcome for all who wait. @returns their number */
    async closeAll(tx: Db, id: string, outcome: Partial<InferInsertModel<People>>): Promise<number> {
      const closed = await tx
        .update<PgTable>(people)
        .set(outcome as object)
        .where(isWaiting(id));
      return (closed as unknown as { rowCount: number | null }).rowCount ?? 0;
    },
  };
}
