import { and, isNotNull, isNull, lte } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import type { Db } from "#server/db/db.ts";
import { countOpenDiscrepancies } from "#server/discrepancies/discrepancies.ts";
import { jobs } from "#server/jobs/tables.ts";
import { countUnknown } from "#server/payments/attempts.ts";

/** One connection as query functions take it, with whatever transaction is open on it. */
export function dbOf(client: pg.ClientBase): Db {
  return drizzle({ client: client as pg.Client, paramsInErrors: false });
}

/**
 * The addresses among these that sign in at the built-in issuer without a second factor, sorted. The issuer is a
 * neighbour whose tables the server does not know: they are named by hand. Null in a database of an older release.
 */
export async function listWithoutSecondFactor(
  client: pg.ClientBase,
  emails: readonly string[],
): Promise<string[] | null> {
  const known = await client.query("select 1 where to_regclass('issuer.second_factors') is not null");
  if (known.rowCount === 0) return null;
  const { rows } = await client.query<{ email: string }>(
    `select lower(a.email) as email from issuer.accounts a
     left join issuer.second_factors f on f.subject = a.subject and f.confirmed_at is not null
     where f.subject is null and lower(a.email) = any($1) order by 1`,
    [emails.map((email) => email.toLowerCase())],
  );
  return rows.map(({ email }) => email);
}

/** What waits for an administrator. */
export interface Backlog {
  /** Jobs that failed too often, by name. */
  readonly failedJobs: readonly string[];
  /** Jobs that were due at `overdueSince` and are not done. */
  readonly overdueJobs: number;
  /** Payments sent before `unknownSince` whose outcome is not known. */
  readonly unknownPayments: number;
  /** Differences between the gateway's books and ours. */
  readonly openDiscrepancies: number;
}

export async function readBacklog(db: Db, since: { overdueSince: Date; unknownSince: Date }): Promise<Backlog> {
  const failed = await db.selectDistinct({ name: jobs.name }).from(jobs).where(isNotNull(jobs.failedAt));
  return {
    failedJobs: failed.map(({ name }) => name),
    overdueJobs: await db.$count(jobs, and(isNull(jobs.failedAt), lte(jobs.runAt, since.overdueSince))),
    unknownPayments: await countUnknown(db, since.unknownSince),
    openDiscrepancies: await countOpenDiscrepancies(db),
  };
}
