import { and, eq, inArray, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { DAY } from "#server/base/clock.ts";
import { tracing } from "#server/base/tracing.ts";
import type { Db } from "#server/db/db.ts";
import { containsAddress } from "#server/db/email-addresses.ts";
import type { RetentionRule } from "#server/db/retention.ts";
import { jobs } from "./tables.ts";

/**
 * Lanes with their workers and attempts, so that renewals that wait for the gateway do not delay emails. Emails are
 * tried for five days. One conversion of a video uses all the cores that a node can spare.
 */
export const lanes = {
  mail: { maxAttempts: 130, workers: 4 },
  gateway: { maxAttempts: 12, workers: 4 },
  webhooks: { maxAttempts: 12, workers: 8 },
  video: { maxAttempts: 12, workers: 1 },
  other: { maxAttempts: 12, workers: 4 },
} as const;
export type Lane = keyof typeof lanes;

export interface Job<Data> {
  readonly name: string;
  readonly schema: z.ZodType<Data>;
  readonly lane: Lane;
}

/** At most one entry for each kind of job, about 50 of 100 bytes: 5 kB. */
const laneByName = new Map<string, Lane>();

/**
 * Defines a job apart from its handler, since a later domain may handle it. The schema must parse the data of the
 * previous release.
 */
export function defineJob<Data>(
  name: string,
  schema: z.ZodType<Data>,
  { lane = "other" }: { readonly lane?: Lane } = {},
): Job<Data> {
  laneByName.set(name, lane);
  return { name, schema, lane };
}

/** Selects the jobs of a lane, for which the table has no column. */
export function isInLane(lane: Lane): SQL {
  const names = [...laneByName.keys()].filter((name) => laneByName.get(name) === lane);
  return inArray(jobs.name, names);
}

export interface JobRequest<Data> {
  readonly data: Data;
  /** While a job of this name and key waits, another one is not scheduled. */
  readonly key?: string;
  readonly runAt: Date;
  readonly now: Date;
}

/** Within a transaction the job exists once that commits. */
export async function scheduleJob<Data>(db: Db, job: Job<Data>, request: JobRequest<Data>): Promise<void> {
  await scheduleJobs(db, job, [request]);
}

const jobsPerInsert = 1000;

export async function scheduleJobs<Data>(
  db: Db,
  { name }: Job<Data>,
  requests: readonly JobRequest<Data>[],
): Promise<void> {
  const traceparent = tracing()?.traceparent() ?? null;
  for (let from = 0; from < requests.length; from += jobsPerInsert) {
    await db
      .insert(jobs)
      .values(
        requests
          .slice(from, from + jobsPerInsert)
          .map(({ data, key = null, runAt, now }) => ({ name, data, key, runAt, createdAt: now, traceparent })),
      )
      .onConflictDoNothing();
  }
}

/** Deletes jobs whose data or last error contains the email address as a whole. */
export async function forgetInJobs(db: Db, address: string): Promise<void> {
  await db
    .delete(jobs)
    .where(containsAddress(sql`${jobs.data}::text || ' ' || coalesce(${jobs.lastError}, '')`, address));
}

/** Jobs that failed for good, which operators may still look at; others are deleted when they are done. */
export const jobRetention: RetentionRule = { table: jobs, from: jobs.failedAt, keptFor: 30 * DAY };

export async function countJobs(db: Db, now: Date): Promise<{ due: number; failed: number }> {
  const [row] = await db
    .select({
      due: sql<number>`count(*) filter (where ${jobs.failedAt} is null and ${jobs.runAt} <= ${now})::int`,
      failed: sql<number>`count(${jobs.failedAt})::int`,
    })
    .from(jobs);
  return row ?? { due: 0, failed: 0 };
}

/** Those of these names of which a job waits or runs. */
export async function listWaitingNames(db: Db, names: readonly string[]): Promise<ReadonlySet<string>> {
  const waits = and(inArray(jobs.name, [...names]), isNull(jobs.failedAt));
  const rows = await db.selectDistinct({ name: jobs.name }).from(jobs).where(waits);
  return new Set(rows.map(({ name }) => name));
}

export async function listDueJobs<Data>(db: Db, { name, schema }: Job<Data>, now: Date): Promise<Data[]> {
  const rows = await db
    .select({ data: jobs.data })
    .from(jobs)
    .where(and(eq(jobs.name, name), lte(jobs.runAt, now), isNull(jobs.failedAt)));
  return rows.map(({ data }) => schema.parse(data));
}
