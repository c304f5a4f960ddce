import { and, inArray, isNotNull, isNull, lte } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import type { Db } from "#server/db/db.ts";
import { discrepancies } from "#server/discrepancies/tables.ts";
import { jobs } from "#server/jobs/tables.ts";
import { paymentAttempts } from "#server/purchases/tables.ts";

/** One connection as query functions take it, with whatever transaction is open on it. */
export function dbOf(client: pg.ClientBase): Db {
  return drizzle({ client: client as pg.Client, paramsInErrors: false });
}

/** What waits for somebody to look after it. */
export interface Backlog {
  /** Jobs that failed too often, by name. */
  readonly failedJobs: readonly string[];
  /** Jobs that were due at `overdueSince` and are not done. */
  readonly overdueJobs: number;
  /** Payments sent before `unknownSince` whose outcome is still not known. */
  readonly unknownPayments: number;
  /** Differences between the gateway's books and ours. */
  readonly openBreaks: number;
}

export async function readBacklog(db: Db, since: { overdueSince: Date; unknownSince: Date }): Promise<Backlog> {
  const failed = await db.selectDistinct({ name: jobs.name }).from(jobs).where(isNotNull(jobs.failedAt));
  return {
    failedJobs: failed.map(({ name }) => name),
    overdueJobs: await db.$count(jobs, and(isNull(jobs.failedAt), lte(jobs.runAt, since.overdueSince))),
    unknownPayments: await db.$count(
      paymentAttempts,
      and(inArray(paymentAttempts.state, ["sent", "unknown"]), lte(paymentAttempts.sentAt, since.unknownSince)),
    ),
    openBreaks: await db.$count(discrepancies, isNull(discrepancies.resolvedAt)),
  };
}
