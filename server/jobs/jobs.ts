import { and, asc, eq, inArray, isNull, lte, notInArray, or, type SQL, sql } from "drizzle-orm";
import { after, MINUTE, SECOND } from "#server/clock.ts";
import type { Context } from "#server/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { jobs } from "./tables.ts";

/**
 * Does the work of one job. It may run twice (a node died after the effect), so its effect must be repeatable; `jobId`
 * is the same each time.
 */
export type JobHandler = (ctx: Context, data: never, jobId: string) => Promise<void>;

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

/** What the jobs of a name are about that are due and not done yet; those that failed for good are not among them. */
export async function listDueJobs(db: Db, name: string, now: Date): Promise<unknown[]> {
  const rows = await db
    .select({ data: jobs.data })
    .from(jobs)
    .where(and(eq(jobs.name, name), lte(jobs.runAt, now), isNull(jobs.failedAt)));
  return rows.map(({ data }) => data);
}

const claimTime = 2 * MINUTE;
/** A claim with less than this left is renewed while its job runs. */
const renewBelow = 1.5 * MINUTE;
const pollInterval = 1 * SECOND;
const parallel = 4;

export interface JobRunner {
  /** Runs everything that is due by the clock, and what that makes due, before it resolves. */
  runDue(): Promise<void>;
  /** Takes no more jobs and waits for those under way. */
  stop(): Promise<void>;
}

/** Jobs, by name, that have workers of their own. */
export interface JobLane {
  readonly names: readonly string[];
  /** The hours between two attempts are one at most; after this many a job counts as failed. 12 when absent. */
  readonly mostAttempts?: number;
}

type Handlers = Readonly<Record<string, JobHandler>>;

/**
 * Asks for due jobs every second and runs them, on any number of nodes at once: each job is claimed by one. The jobs of
 * each of `lanes`, by name, and all others together have workers of their own: a lane that waits for a server that does
 * not answer holds up no other.
 */
export function startJobs(ctx: Context, handlers: Handlers, lanes: readonly JobLane[] = []): JobRunner {
  let isReported = false;
  const report = (error: unknown) => {
    // A database that is away is the pool's and the probes' to report; the next tick tries again.
    if (!isReported) ctx.log.warn({ err: error }, "jobs could not be looked for");
    isReported = true;
  };
  const others = notInArray(
    jobs.name,
    lanes.flatMap(({ names }) => names),
  );
  const all = [
    ...lanes.map((lane) => openLane(ctx, handlers, inArray(jobs.name, [...lane.names]), lane.mostAttempts, report)),
    openLane(ctx, handlers, others, undefined, report),
  ];

  const timer = setInterval(() => {
    isReported = false;
    for (const lane of all) {
      lane.renewClaims().catch(report);
      lane.work();
    }
  }, pollInterval);

  const countFinished = () => all.reduce((sum, lane) => sum + lane.finished, 0);

  return {
    async runDue() {
      // The clock may have been moved past the end of claims whose jobs are still running.
      await Promise.all(all.map((lane) => lane.renewClaims()));
      let before: number;
      do {
        before = countFinished();
        await Promise.all(all.map((lane) => lane.drain()));
      } while (countFinished() > before);
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(all.map((lane) => lane.stop()));
    },
  };
}

interface Lane {
  /** How many jobs it has run, whatever became of them. */
  readonly finished: number;
  /** Begins with what is due. */
  work(): void;
  /** Runs everything that is due before it resolves. */
  drain(): Promise<void>;
  renewClaims(): Promise<void>;
  stop(): Promise<void>;
}

function openLane(
  ctx: Context,
  handlers: Handlers,
  isOfLane: SQL | undefined,
  mostAttempts: number | undefined,
  report: (error: unknown) => void,
): Lane {
  const workers = new Set<Promise<void>>();
  const underWay = new Map<string, Job>();
  let isStopped = false;
  let finished = 0;

  function addWorker(): void {
    if (isStopped || workers.size >= parallel) return;
    const worker: Promise<void> = runJobs().finally(() => workers.delete(worker));
    workers.add(worker);
    worker.catch(report);
  }

  async function runJobs(): Promise<void> {
    while (!isStopped) {
      const job = await claim(ctx, isOfLane, [...underWay.keys()]);
      if (!job) return;
      underWay.set(job.id, job);
      // Where one job is due there may be more: nobody waits until this one is done.
      addWorker();
      await run(ctx, handlers, job, mostAttempts).finally(() => underWay.delete(job.id));
      finished += 1;
    }
  }

  async function rest(): Promise<void> {
    while (workers.size > 0) await Promise.all(workers);
  }

  return {
    get finished() {
      return finished;
    },
    work: addWorker,
    async drain() {
      // Those at work may have asked before the clock moved: one that begins now sees all that is due.
      await rest();
      addWorker();
      await rest();
    },
    async renewClaims() {
      const now = ctx.clock.now();
      const ending = [...underWay.values()].filter(
        ({ claimedUntil }) => claimedUntil && claimedUntil < after(now, renewBelow),
      );
      for (const job of ending) {
        const [renewed] = await ctx.db
          .update(jobs)
          .set({ claimedUntil: after(now, claimTime) })
          .where(isClaimOf(job))
          .returning();
        if (renewed && underWay.has(job.id)) underWay.set(job.id, renewed);
      }
    },
    async stop() {
      isStopped = true;
      await rest().catch(() => {});
    },
  };
}

type Job = typeof jobs.$inferSelect;

async function claim(ctx: Context, isOfLane: SQL | undefined, underWay: readonly string[]): Promise<Job | undefined> {
  const now = ctx.clock.now();
  const due = ctx.db
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        lte(jobs.runAt, now),
        isNull(jobs.failedAt),
        or(isNull(jobs.claimedUntil), lte(jobs.claimedUntil, now)),
        isOfLane,
        underWay.length > 0 ? notInArray(jobs.id, [...underWay]) : undefined,
      ),
    )
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

/** Each claim counts one attempt more: a claim that somebody else has made since is not ours. */
function isClaimOf(job: Job) {
  return and(eq(jobs.id, job.id), eq(jobs.attempts, job.attempts));
}

async function run(ctx: Context, handlers: Handlers, job: Job, mostAttempts = 12): Promise<void> {
  try {
    const handler = handlers[job.name];
    if (!handler) throw new Error(`no handler for the job ${job.name}`);
    await handler(ctx, job.data as never, job.id);
    await ctx.db.delete(jobs).where(eq(jobs.id, job.id));
  } catch (error) {
    const now = ctx.clock.now();
    const givenUp = job.attempts >= mostAttempts;
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
      .where(isClaimOf(job));
  }
}
