import { and, asc, eq, isNull, lte, or, type Placeholder, sql } from "drizzle-orm";
import type { FastifyBaseLogger } from "fastify";
import type { z } from "zod";
import { after, type Clock, HOUR, MINUTE, SECOND } from "#server/base/clock.ts";
import { kindOf, tracing } from "#server/base/tracing.ts";
import { type Db, statement } from "#server/db/db.ts";
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

type JobRow = typeof jobs.$inferSelect;

/** A lane on this node. */
interface LaneHere {
  readonly name: Lane;
  /** Of the lane's jobs. Of the lane `other`: those of all others. */
  readonly names: readonly string[];
  readonly workers: number;
  /** At most 8 entries of up to 100 kB, as a job's data may have calendar entries: 800 kB. */
  readonly underWay: Map<string, Running>;
  /** How many jobs a claim asks for. */
  asked: number;
  /** Whether the last claim found as many as it asked for. */
  mayHaveMore: boolean;
}

interface Running {
  job: JobRow;
  readonly work: Promise<void>;
}

const laneNames = Object.keys(lanes) as Lane[];
const runningIn = (some: readonly LaneHere[]) => some.flatMap(({ underWay }) => [...underWay.values()]);
const workIn = (some: readonly LaneHere[]) => runningIn(some).map(({ work }) => work);

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
  const handlers = new Map(handledJobs.map((handled) => [handled.name, handled]));
  const all = laneNames.map((name): LaneHere => {
    const isNamed = ({ lane }: HandledJob<Ctx>) => (name === "other" ? lane !== name : lane === name);
    const names = handledJobs.filter(isNamed).map((handled) => handled.name);
    const workers = name === "video" ? videoWorkers : lanes[name].workers;
    return { name, names, workers, underWay: new Map(), asked: 0, mayHaveMore: false };
  });
  const short = all.filter(({ name }) => name !== "video");
  const stopping = new AbortController();
  const toAsk = new Set<LaneHere>();
  let claims = Promise.resolve();

  /** Claims one after another: a claim asks for all lanes that were named before it began. */
  function startDue(some: readonly LaneHere[]): Promise<void> {
    for (const lane of some) toAsk.add(lane);
    claims = claims.catch(() => {}).then(claimAndStart);
    return claims;
  }

  async function claimAndStart(): Promise<void> {
    for (const lane of all) lane.asked = toAsk.has(lane) ? lane.workers - lane.underWay.size : 0;
    toAsk.clear();
    if (stopping.signal.aborted || all.every(({ asked }) => asked === 0)) return;
    const claimed = await claim(ctx, all);
    for (const lane of all) {
      const found = claimed.filter(({ name }) => (handlers.get(name)?.lane ?? "other") === lane.name);
      if (lane.asked > 0) lane.mayHaveMore = found.length === lane.asked;
      for (const job of found) start(lane, job);
    }
  }

  function start(lane: LaneHere, job: JobRow): void {
    const { maxAttempts } = lanes[lane.name];
    const work = traceJob(ctx, job, () => run(ctx, handlers, job, maxAttempts, stopping.signal)).finally(() => {
      lane.underWay.delete(job.id);
      // It may have made others due, of any lane.
      if (lane.underWay.size === 0) startDue(all).catch(report);
      else if (lane.mayHaveMore) startDue([lane]).catch(report);
    });
    work.catch(report);
    lane.underWay.set(job.id, { job, work });
  }

  async function renewClaims(): Promise<void> {
    const now = ctx.clock.now();
    const isEnding = ({ job }: Running) => job.claimedUntil && job.claimedUntil < after(now, renewBelow);
    for (const running of runningIn(all).filter(isEnding)) {
      const [renewed] = await ctx.db
        .update(jobs)
        .set({ claimedUntil: after(now, claimTime) })
        .where(isClaimOf(running.job))
        .returning();
      if (renewed) running.job = renewed;
    }
  }

  const timer = setInterval(() => {
    isReported = false;
    renewClaims().catch(report);
    startDue(all).catch(report);
  }, pollInterval);

  return {
    async runDue() {
      // The clock may have been moved past the end of claims whose jobs are still running.
      await renewClaims();
      startDue(all).catch(() => {});
      let last: Promise<void>;
      do {
        last = claims;
        await last;
        await Promise.all(workIn(short));
      } while (claims !== last);
    },
    async stop() {
      clearInterval(timer);
      stopping.abort();
      const { promise: overdue, resolve } = Promise.withResolvers<void>();
      const limit = setTimeout(resolve, stopTime);
      await Promise.race([claims.catch(() => {}).then(() => Promise.allSettled(workIn(all))), overdue]);
      clearTimeout(limit);
    },
  };
}

/** Claims due jobs, of each lane as many as it asks for. Returns the earliest first. */
async function claim({ db, clock }: JobContext, all: readonly LaneHere[]): Promise<JobRow[]> {
  const now = clock.now();
  const claimed = await claimStatement(db).execute({
    ...{ now, claimedUntil: after(now, claimTime), underWay: runningIn(all).map(({ job }) => job.id) },
    ...Object.fromEntries(all.map(({ name, names }) => [`${name} names`, names])),
    ...Object.fromEntries(all.map(({ name, asked }) => [`${name} asked`, asked])),
  });
  return claimed.sort((one, other) => one.runAt.getTime() - other.runAt.getTime());
}

/** Prepared: planned anew each time, five lanes take 1.8 ms of processors instead of 0.6. */
function claimStatement(db: Db) {
  return statement(db, "jobs_claim", (db, name) => {
    const due = laneNames.map((lane) => {
      const names = sql.placeholder(`${lane} names`);
      const isOfLane = lane === "other" ? sql`${jobs.name} <> all(${names})` : sql`${jobs.name} = any(${names})`;
      const isElsewhere = sql`${jobs.id} <> all(${sql.placeholder("underWay")})`;
      const dueInLane = db
        .select({ id: jobs.id })
        .from(jobs)
        .where(and(isDue(sql.placeholder("now")), isOfLane, isElsewhere))
        .orderBy(asc(jobs.runAt))
        .limit(sql.placeholder(`${lane} asked`))
        .for("update", { skipLocked: true });
      return sql`array(${dueInLane})`;
    });
    return db
      .update(jobs)
      .set({ claimedUntil: sql`${sql.placeholder("claimedUntil")}`, attempts: sql`${jobs.attempts} + 1` })
      .where(sql`${jobs.id} = any(${sql.join(due, sql` || `)})`)
      .returning()
      .prepare(name);
  });
}

function isDue(now: Placeholder) {
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
  handlers: ReadonlyMap<string, HandledJob<Ctx>>,
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
