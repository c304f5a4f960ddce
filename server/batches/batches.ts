import { and, eq, type InferInsertModel, type InferSelectModel, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { Batch, BatchState, BatchStep } from "#contract/admin/batches.ts";
import { audited } from "#server/audit/audit.ts";
import { after, SECOND } from "#server/base/clock.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";

const Turn = z.object({ id: z.string(), turn: z.int() });
export type Turn = z.output<typeof Turn>;

type Table<Columns extends string> = PgTable & Record<Columns, PgColumn>;

/** The columns that the table of a batch must have. */
interface BatchColumns {
  readonly id: string;
  readonly state: string;
  /** Incremented whenever a new job continues the batch; a job with an older number does nothing. */
  readonly turn: number;
  /** Totals, which outlive the rows of people. */
  readonly people: number;
  readonly done: number;
  readonly skipped: number;
  readonly failed?: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

type Total = "done" | "skipped" | "failed";

export interface StepTarget {
  readonly actor: { readonly id: string };
  readonly id: string;
}

const steps: Readonly<Record<BatchStep, { from: readonly BatchState[]; to: BatchState; refusal: string }>> = {
  pause: { from: ["running"], to: "paused", refusal: "It isn't under way." },
  resume: { from: ["paused"], to: "running", refusal: "It isn't paused." },
  stop: { from: ["running", "paused"], to: "stopped", refusal: "It isn't under way." },
};

/**
 * Work on many people, such as sending an announcement. Each turn is a job that deals with a few of them and schedules
 * the next turn. A person without an outcome waits.
 */
export function batchesOf<
  Batches extends Table<keyof Omit<BatchColumns, "failed">>,
  People extends Table<"outcome" | "closedAt">,
>(
  kind: string,
  {
    noun,
    auditNoun = noun,
    batches,
    people,
    person,
    batchOf,
    dueAt,
    unreached,
  }: {
    /** Used in messages. */
    readonly noun: string;
    /** What follows the step in the audit log, if not the noun. */
    readonly auditNoun?: string;
    readonly batches: Batches;
    readonly people: People;
    /** Tells the rows of a batch apart. */
    readonly person: PgColumn;
    readonly batchOf: PgColumn;
    /** When a person's turn is due. Without it, all are due when the batch starts. */
    readonly dueAt?: PgColumn;
    /** The outcome of those who wait when the batch is stopped. */
    readonly unreached: Partial<InferInsertModel<People>>;
  },
) {
  type Row = InferSelectModel<Batches> & BatchColumns;
  const job = defineJob(kind, Turn);
  const isOf = (id: string) => eq(batches.id, id);
  const totalOf = (total: Total) => (batches as Partial<Record<Total, PgColumn>>)[total];

  function isWaiting(id: string | PgColumn, userId?: string): SQL | undefined {
    return and(eq(batchOf, id), userId === undefined ? undefined : eq(person, userId), isNull(people.outcome));
  }

  async function set(tx: Db, id: string, changes: object): Promise<void> {
    await tx.update<PgTable>(batches).set(changes).where(isOf(id));
  }

  async function find(db: Db, id: string): Promise<Row | null> {
    const [row] = await db.select().from<PgTable>(batches).where(isOf(id));
    return (row as Row | undefined) ?? null;
  }

  /** @throws Refusal not-found. */
  async function get(db: Db, id: string): Promise<Row> {
    const row = await find(db, id);
    if (!row) throw notFound(noun);
    return row;
  }

  /** @throws Refusal not-found. */
  async function lock(tx: Db, id: string): Promise<Row> {
    await tx.select({ id: batches.id }).from<PgTable>(batches).where(isOf(id)).for("update");
    return get(tx, id);
  }

  function schedule(db: Db, { id, turn }: Turn, runAt: Date, now: Date): Promise<void> {
    return scheduleJob(db, job, { data: { id, turn }, key: `${id} ${turn}`, runAt, now });
  }

  /** Makes jobs of earlier turns do nothing. Lock the batch first. */
  async function scheduleNextTurn(tx: Db, { id, turn }: Turn, runAt: Date, now: Date): Promise<void> {
    await set(tx, id, { state: "running", turn: turn + 1 });
    await schedule(tx, { id, turn: turn + 1 }, runAt, now);
  }

  /**
   * Those who still wait and those who deleted their account count as skipped. Lock the batch first.
   * @returns how many waited
   */
  async function finish(tx: Db, id: string, state: "done" | "stopped", now: Date): Promise<number> {
    const { rowCount } = (await tx
      .update<PgTable>(people)
      .set({ ...unreached, closedAt: now })
      .where(isWaiting(id))) as unknown as { rowCount: number | null };
    const skipped = sql`${batches.people} - ${batches.done} - ${totalOf("failed") ?? 0}`;
    await set(tx, id, { state, finishedAt: now, skipped });
    return rowCount ?? 0;
  }

  return {
    job,
    isWaiting,
    find,
    get,
    lock,
    scheduleNextTurn,
    finish,

    /** Schedules batches again whose job failed for good. */
    async scheduleAgain(db: Db, now: Date): Promise<void> {
      const found = await db
        .select({ id: batches.id, turn: batches.turn })
        .from<PgTable>(batches)
        .where(eq(batches.state, "running"));
      for (const row of found) await schedule(db, Turn.parse(row), now, now);
    },

    /**
     * Deals with a few people and schedules the next turn. A second job of the same turn does nothing.
     * @param deal returns the milliseconds until the next turn
     */
    async takeTurn(ctx: Context, { id, turn }: Turn, deal: (batch: Row) => Promise<number>): Promise<void> {
      const isNow = (row: Row) => row.state === "running" && row.turn === turn;
      const batch = await get(ctx.db, id);
      if (!isNow(batch)) return;
      const pause = await deal(batch);
      await ctx.db.transaction(async (tx) => {
        if (!isNow(await lock(tx, id))) return;
        const now = ctx.clock.now();
        const [next] = await tx
          .select({ dueAt: dueAt ?? sql<null>`null` })
          .from<PgTable>(people)
          .where(isWaiting(id))
          .orderBy(dueAt ?? batchOf)
          .limit(1);
        if (!next) {
          await finish(tx, id, "done", now);
          return;
        }
        const due = (next.dueAt as Date | null)?.getTime() ?? 0;
        await scheduleNextTurn(tx, batch, new Date(Math.max(due, after(now, pause).getTime())), now);
      });
    },

    /**
     * Pauses, resumes or stops a batch.
     * @param prepare is called before it resumes
     * @throws Refusal not-found, conflict
     */
    async takeStep(
      ctx: Context,
      { actor, id }: StepTarget,
      step: BatchStep,
      prepare?: (tx: Db, batch: Row, now: Date) => Promise<void>,
    ): Promise<void> {
      const { from, to, refusal } = steps[step];
      await audited(ctx, { actor, action: `${step} ${auditNoun}`, subject: id }, async (tx, now) => {
        const batch = await lock(tx, id);
        if (!from.includes(batch.state as BatchState)) throw new Refusal("conflict", refusal);
        if (step === "pause") await set(tx, id, { state: "paused" });
        const stoppedBefore = step === "stop" ? await finish(tx, id, "stopped", now) : undefined;
        if (step === "resume") {
          await prepare?.(tx, batch, now);
          await scheduleNextTurn(tx, batch, now, now);
        }
        return { before: { state: batch.state }, after: { state: to, stoppedBefore } };
      });
    },

    /**
     * Records the outcome of a person who waits, once, and counts it in a total of the batch. Locks the batch before
     * the person, as steps do.
     */
    async close(
      tx: Db,
      { id, userId }: { readonly id: string; readonly userId: string },
      outcome: Partial<InferInsertModel<People>>,
      total: Total,
    ): Promise<void> {
      await lock(tx, id);
      const closed = await tx
        .update<PgTable>(people)
        .set(outcome as object)
        .where(isWaiting(id, userId))
        .returning({ person });
      if (closed.length > 0) await set(tx, id, { [total]: sql`${totalOf(total)} + 1` });
    },

    /** Deletes a person's rows. The totals stay, and where the person waits they count as skipped. */
    async forget(tx: Db, userId: string): Promise<void> {
      const isTheirs = eq(person, userId);
      const waiting = tx
        .select({ id: batchOf })
        .from<PgTable>(people)
        .where(and(isTheirs, isNull(people.outcome)));
      await tx
        .select({ id: batches.id })
        .from<PgTable>(batches)
        .where(inArray(batches.id, waiting))
        .orderBy(batches.id)
        .for("update");
      const gone = await tx.delete<PgTable>(people).where(isTheirs).returning({ id: batchOf, outcome: people.outcome });
      for (const { id, outcome } of gone)
        if (outcome === null) await set(tx, id as string, { skipped: sql`${batches.skipped} + 1` });
    },

    /** How far it is. */
    progressOf(row: Row): Batch {
      const { id, people: all, done, skipped, failed = 0, createdAt, finishedAt } = row;
      return {
        id,
        state: row.state as BatchState,
        people: all,
        done,
        skipped,
        waiting: all - done - skipped - failed,
        createdAt: createdAt.toISOString(),
        finishedAt: finishedAt?.toISOString() ?? null,
      };
    },
  };
}

/** Milliseconds between two turns that send emails. A clock that was moved expects all due work at once. */
export function pauseBetweenTurns({ clock }: Pick<Context, "clock">): number {
  return clock.jumps ? 0 : SECOND;
}
