import { and, eq, inArray, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { DAY } from "#server/base/clock.ts";
import { tracing } from "#server/base/tracing.ts";
import type { Db } from "#server/db/db.ts";
import { containsAddress } from "#server/db/email-addresses.ts";
import type { RetentionRule } from "#server/db/retention.ts";
import { jobs } from "./tables.ts";

/** Workers by lane: renewals that wait for the gateway hold up no email. Emails are tried for five days. */
export const lanes = {
  mail: { maxAttempts: 130 },
  gateway: { maxAttempts: 12 },
  other: { maxAttempts: 12 },
} as const;
export type Lane = keyof typeof lanes;

export interface Job<Data> {
  readonly name: string;
  readonly schema: z.ZodType<Data>;
  readonly lane: Lane;
}

const laneByName = new Map<string, Lane>();

/** A domain may schedule what one after it handles. The schema parses the data of the release before as well. */
export function defineJob<Data>(
  name: string,
  schema: z.ZodType<Data>,
  { lane = "other" }: { readonly lane?: Lane } = {},
): Job<Data> {
  laneByName.set(name, lane);
  return { name, schema, lane };
}

/** For queries of the table `jobs`, which has no column for it. */
export function isInLane(lane: Lane): SQL {
  const names = [...laneByName.keys()].filter((name) => laneByName.get(name) === lane);
  return inArray(jobs.name, names);
}

export interface JobRequest<Data> {
  readonly data: Data;
  /** A second job of the same kind and key is not scheduled while the first one waits. */
  readonly key?: string;
  readonly runAt: Date;
  readonly now: Date;
}

/** In a transaction it exists when that commits, and not otherwise. */
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

/** Deletes the jobs whose data or last error holds the email address, but not those that hold a longer one. */
export async function forgetInJobs(db: Db, address: string): Promise<void> {
  await db
    .delete(jobs)
    .where(containsAddress(sql`${jobs.data}::text || ' ' || coalesce(${jobs.lastError}, '')`, address));
}

/** Those that failed for good, which stay for an operator to see; others go when they are done. */
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

export async function listDueJobs<Data>(db: Db, { name, schema }: Job<Data>, now: Date): Promise<Data[]> {
  const rows = await db
    .select({ data: jobs.data })
    .from(jobs)
    .where(and(eq(jobs.name, name), lte(jobs.runAt, now), isNull(jobs.failedAt)));
  return rows.map(({ data }) => schema.parse(data));
}
