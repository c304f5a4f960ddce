import { and, asc, eq, isNull, lte, or, sql } from "drizzle-orm";
import { after, MINUTE, SECOND } from "#server/clock.ts";
import type { Context } from "#server/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { jobs } from "./tables.ts";

/** Does the work of one job. It may run twice (a node died after the effect), so its effect must be repeatable. */
export type JobHandler = (ctx: Context, data: never) => Promise<void>;

export interface JobRequest {
  readonly name: string;
  readonly data: unknown;
  /** A second job of the same name and key is not taken on while the first one waits. */
  readonly key?: string;
  readonly runAt: Date;
  readonly now: Date;
}

/** Takes on a job. In a transaction it exists when that commits, and not otherwise. */
export async function enqueueJob(db: Db, job: JobRequest): Promise<void> {
  await enqueueJobs(db, [job]);
}

const jobsPerInsert = 1000;

/** Takes on many jobs. */
export async function enqueueJobs(db: Db, requests: readonly JobRequest[]): Promise<void> {
  for (let from = 0; from < requests.length; from += jobsPerInsert) {
    await db
      .insert(jobs)
      .values(
        requests
          .slice(from, from + jobsPerInsert)
          .map(({ name, data, key = null, runAt, now }) => ({ name, data, key, runAt, createdAt: now })),
      )
      .onConflictDoNothing();
  }
}

/** Removes the jobs that hold this text, in what they are about or in why they failed. */
export async function forgetInJobs(db: Db, text: string): Promise<void> {
  const held = sql`lower(${jobs.data}::text || coalesce(${jobs.lastError}, ''))`;
  await db.delete(jobs).where(sql`position(lower(${text}) in ${held}) > 0`);
}

/** Removes the jobs that failed for good before a moment, with whatever they hold. */
export async function purgeFailedJobs(db: Db, before: Date): Promise<void> {
  await db.delete(jobs).where(lte(jobs.failedAt, before));
}

/** How many jobs are due, and how many failed too often; for the operator. */
export async function countJobs(db: Db, now: Date): Promise<{ due: number; failed: number }> {
  const [row] = await db
    .select({
      due: sql<number>`count(*) filter (where ${jobs.failedAt} is null and ${jobs.runAt} <= ${now})::int`,
      failed: sql<number>`count(${jobs.failedAt})::int`,
    })
    .from(jobs);
  return row ?? { due: 0, failed: 0 };
}

const claimTime = 2 * MINUTE;
const maxAttempts = 12;
const pollInterval = 1 * SECOND;
const parallel = 4;

export interface JobRunner {
  /** Runs everything that is due by the clock, and what that makes due, before it resolves. */
  runDue(): Promise<void>;
  /** Takes no more jobs and waits for those under way. */
  stop(): Promise<void>;
}

/** Looks for due jobs every second and runs them, on any number of nodes at once: each job is claimed by one. */
export function startJobs(ctx: Context, handlers: Readonly<Record<string, JobHandler>>): JobRunner {
  let stopped = false;
  let round: Promise<void> = Promise.resolve();

  async function work(): Promise<void> {
    while (!stopped) {
      const job = await claim(ctx);
      if (!job) return;
      await run(ctx, handlers, job);
    }
  }

  const runDue = () => {
    const next = round.then(() => Promise.all(Array.from({ length: parallel }, work))).then(() => {});
    round = next.catch(() => {});
    return next;
  };

  let busy = false;
  const timer = setInterval(async () => {
    if (busy) return;
    busy = true;
    // A database that is away is the pool's and the probes' to report; the next tick tries again.
    await runDue().catch((error) => ctx.log.warn({ err: error }, "jobs could not be looked for"));
    busy = false;
  }, pollInterval);

  return {
    runDue,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await round;
    },
  };
}

type Job = typeof jobs.$inferSelect;

async function claim(ctx: Context): Promise<Job | undefined> {
  const now = ctx.clock.now();
  const due = ctx.db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(lte(jobs.runAt, now), isNull(jobs.failedAt), or(isNull(jobs.claimedUntil), lte(jobs.claimedUntil, now))))
    .orderBy(asc(jobs.runAt))
    .limit(1)
    .for("update", { skipLocked: true });
  const [job] = await ctx.db
    .update(jobs)
    .set({ claimedUntil: after(now, claimTime), attempts: sql`${jobs.attempts} + 1` })
    .where(eq(jobs.id, sql`(${due})`))
    .returning();
  return job;
}

async function run(ctx: Context, handlers: Readonly<Record<string, JobHandler>>, job: Job): Promise<void> {
  try {
    const handler = handlers[job.name];
    if (!handler) throw new Error(`no handler for the job ${job.name}`);
    await handler(ctx, job.data as never);
    await ctx.db.delete(jobs).where(eq(jobs.id, job.id));
  } catch (error) {
    const now = ctx.clock.now();
    const givenUp = job.attempts >= maxAttempts;
    ctx.log[givenUp ? "error" : "warn"](
      { err: error, job: job.name, jobId: job.id, attempts: job.attempts },
      "job failed",
    );
    await ctx.db
      .update(jobs)
      .set({
        claimedUntil: null,
        runAt: after(now, Math.min(2 ** job.attempts, 3600) * SECOND),
        lastError: error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : "unknown",
        ...(givenUp ? { failedAt: now, key: newId() } : {}),
      })
      .where(eq(jobs.id, job.id));
  }
}
