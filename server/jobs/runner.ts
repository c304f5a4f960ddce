import { and, asc, eq, inArray, isNull, lte, notInArray, or, type SQL, sql } from "drizzle-orm";
import type { FastifyBaseLogger } from "fastify";
import type { z } from "zod";
import { after, type Clock, HOUR, MINUTE, SECOND } from "#server/base/clock.ts";
import { kindOf, tracing } from "#server/base/tracing.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { type Job, type Lane, lanes } from "./jobs.ts";
import { jobs } from "./tables.ts";

const claimTime = 2 * MINUTE;
/** A claim that ends sooner is renewed while its job runs. */
const renewBelow = 1.5 * MINUTE;
const pollInterval = 1 * SECOND;
/** A stop takes ten seconds at most, and one call of a silent gateway twenty. */
const stopTime = 8 * SECOND;

export interface JobContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
}

type Handlers<Ctx> = ReadonlyMap<string, HandledJob<Ctx>>;

export interface JobRunner {
  /** Runs all due jobs, and those that they make due, before it resolves. Starts conversions and waits for none. */
  runDue(): Promise<void>;
  /**
   * Takes no more jobs, tells those under way, and waits up to eight seconds for them: the others run again, as after a
   * kill.
   */
  stop(): Promise<void>;
}

/**
 * May run twice (a node died after the effect), so it must be repeatable; `jobId` is the same each time. `hasFailed`: an
 * earlier run has thrown. `stopping` is aborted when the node stops.
 */
export type JobHandler<Ctx, Data> = (
  ctx: Ctx,
  data: Data,
  jobId: string,
  hasFailed: boolean,
  stopping: AbortSignal,
) => Promise<void>;

export interface HandledJob<Ctx> {
  readonly name: string;
  readonly lane: Lane;
  readonly run: JobHandler<Ctx, unknown>;
}

export function handleJob<Ctx, Data>(
  { name, lane, schema }: Job<Data>,
  handler: JobHandler<Ctx, Data>,
): HandledJob<Ctx> {
  return { name, lane, run: (ctx, data, ...run) => handler(ctx, parse(schema, data), ...run) };
}

function parse<Data>(schema: z.ZodType<Data>, data: unknown): Data {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "data"}: ${message}`);
  throw new Error(`the job's data has another shape than this release knows: ${faults.join("; ")}`);
}

/** Runs jobs, on any number of nodes. A job without a handler fails. */
export function startJobs<Ctx extends JobContext>(
  ctx: Ctx,
  handledJobs: readonly HandledJob<Ctx>[],
  { videoWorkers = lanes.video.workers }: { readonly videoWorkers?: number } = {},
): JobRunner {
  let isReported = false;
  const report = (error: unknown) => {
    // The pool and the probe report an outage of the database; the next tick tries again.
    if (!isReported) ctx.log.warn({ err: error }, "due jobs could not be read");
    isReported = true;
  };
  const namesIn = (...some: Lane[]) => handledJobs.filter(({ lane }) => some.includes(lane)).map(({ name }) => name);
  const handlers = new Map(handledJobs.map((handled) => [handled.name, handled]));
  const workersOf = (lane: Lane, isOfLane: SQL, parallel: number = lanes[lane].workers) =>
    new Workers(ctx, handlers, { lane, isOfLane, parallel, report });
  const short = [
    workersOf("mail", inArray(jobs.name, namesIn("mail"))),
    workersOf("gateway", inArray(jobs.name, namesIn("gateway"))),
    workersOf("webhooks", inArray(jobs.name, namesIn("webhooks"))),
    workersOf("other", notInArray(jobs.name, namesIn("mail", "gateway", "webhooks", "video"))),
  ];
  const videos = workersOf("video", inArray(jobs.name, namesIn("video")), videoWorkers);
  const all = [...short, videos];

  /** One statement while nothing is due, instead of one for each lane. */
  async function workIfDue(): Promise<void> {
    const [due] = await ctx.db.select({ id: jobs.id }).from(jobs).where(isDue(ctx.clock.now())).limit(1);
    if (due) for (const lane of all) lane.work();
  }

  let asking: Promise<void> | null = null;
  const timer = setInterval(() => {
    isReported = false;
    for (const lane of all) lane.renewClaims().catch(report);
    asking ??= workIfDue()
      .catch(report)
      .finally(() => {
        asking = null;
      });
  }, pollInterval);

  const countFinished = () => short.reduce((sum, lane) => sum + lane.finished, 0);

  return {
    async runDue() {
      // The clock may have been moved past the end of claims whose jobs are still running.
      await Promise.all(all.map((lane) => lane.renewClaims()));
      let before: number;
      do {
        before = countFinished();
        videos.work();
        await Promise.all(short.map((lane) => lane.drain()));
      } while (countFinished() > before);
    },
    async stop() {
      clearInterval(timer);
      const { promise: overdue, resolve } = Promise.withResolvers<void>();
      const limit = setTimeout(resolve, stopTime);
      await Promise.race([Promise.all([...all.map((lane) => lane.stop()), asking]), overdue]);
      clearTimeout(limit);
    },
  };
}

interface WorkersOptions {
  readonly lane: Lane;
  readonly isOfLane: SQL;
  readonly parallel: number;
  readonly report: (error: unknown) => void;
}

class Workers<Ctx extends JobContext> {
  finished = 0;
  private readonly ctx: Ctx;
  private readonly handlers: Handlers<Ctx>;
  private readonly options: WorkersOptions;
  /** At most 8 entries of about 200 bytes. */
  private readonly working = new Set<Promise<void>>();
  /** At most 8 entries of up to 100 kB, as a job's data may have calendar entries: 800 kB. */
  private readonly underWay = new Map<string, JobRow>();
  private readonly stopping = new AbortController();

  constructor(ctx: Ctx, handlers: Handlers<Ctx>, options: WorkersOptions) {
    this.ctx = ctx;
    this.handlers = handlers;
    this.options = options;
  }

  work(): void {
    if (this.stopping.signal.aborted || this.working.size >= this.options.parallel) return;
    const worker: Promise<void> = this.runJobs().finally(() => this.working.delete(worker));
    this.working.add(worker);
    worker.catch(this.options.report);
  }

  async drain(): Promise<void> {
    // Running workers may have queried before the clock moved; a new one finds all that is due.
    await this.rest();
    this.work();
    await this.rest();
  }

  async renewClaims(): Promise<void> {
    const now = this.ctx.clock.now();
    const ending = [...this.underWay.values()].filter(
      ({ claimedUntil }) => claimedUntil && claimedUntil < after(now, renewBelow),
    );
    for (const job of ending) {
      const [renewed] = await this.ctx.db
        .update(jobs)
        .set({ claimedUntil: after(now, claimTime) })
        .where(isClaimOf(job))
        .returning();
      if (renewed && this.underWay.has(job.id)) this.underWay.set(job.id, renewed);
    }
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.rest().catch(() => {});
  }

  private async runJobs(): Promise<void> {
    const { lane, isOfLane } = this.options;
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const job = await claim(this.ctx, isOfLane, [...this.underWay.keys()]);
      if (!job) return;
      this.underWay.set(job.id, job);
      // More jobs may be due: starts another worker.
      this.work();
      await traceJob(this.ctx, job, () => run(this.ctx, this.handlers, job, lanes[lane].maxAttempts, signal)).finally(
        () => this.underWay.delete(job.id),
      );
      this.finished += 1;
    }
  }

  private async rest(): Promise<void> {
    while (this.working.size > 0) await Promise.all(this.working);
  }
}

type JobRow = typeof jobs.$inferSelect;

async function claim(ctx: JobContext, isOfLane: SQL, underWay: readonly string[]): Promise<JobRow | undefined> {
  const now = ctx.clock.now();
  const due = ctx.db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(isDue(now), isOfLane, underWay.length > 0 ? notInArray(jobs.id, [...underWay]) : undefined))
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

function isDue(now: Date) {
  return and(lte(jobs.runAt, now), isNull(jobs.failedAt), or(isNull(jobs.claimedUntil), lte(jobs.claimedUntil, now)));
}

/** Each claim increments `attempts`, so that another number means that another node has claimed the job. */
function isClaimOf(job: JobRow) {
  return and(eq(jobs.id, job.id), eq(jobs.attempts, job.attempts));
}

/** A job that runs later starts a new trace, which links to the one that scheduled it. */
const sameTraceWithin = HOUR;

/** @param work resolves to the kind of failure, if any */
async function traceJob(ctx: JobContext, job: JobRow, work: () => Promise<string | undefined>): Promise<void> {
  const tracer = tracing();
  if (!tracer) return void (await work());
  const { traceparent, createdAt } = job;
  const isPast = after(createdAt, sameTraceWithin) < ctx.clock.now();
  const facts = { "academy.job_id": job.id, "academy.job_attempt": job.attempts };
  const span = tracer.startTrace(
    "job",
    `job ${job.name}`,
    facts,
    traceparent === null ? undefined : { traceparent, isPast },
  );
  let failure: string | undefined = "unknown";
  try {
    failure = await span.within(work);
  } finally {
    span.end(failure);
  }
}

/** Resolves to the kind of failure, if any. */
async function run<Ctx extends JobContext>(
  ctx: Ctx,
  handlers: Handlers<Ctx>,
  job: JobRow,
  maxAttempts: number,
  stopping: AbortSignal,
): Promise<string | undefined> {
  try {
    // The attempt before this one ended without a result: a job that kills its process would do so for ever.
    if (job.attempts > maxAttempts) throw new Error("each node that began it has died since it was last tried");
    const handled = handlers.get(job.name);
    if (!handled) throw new Error(`no handler for the job ${job.name}`);
    await handled.run(ctx, job.data, job.id, job.lastError !== null, stopping);
    await ctx.db.delete(jobs).where(eq(jobs.id, job.id));
    return undefined;
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
      .where(isClaimOf(job));
    return kindOf(error);
  }
}
