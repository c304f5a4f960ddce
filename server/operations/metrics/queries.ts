import { isNull, not, sql } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { isInLane } from "#server/jobs/jobs.ts";
import { jobs } from "#server/jobs/tables.ts";

export interface JobDelays {
  /** How long the oldest due job has been due, except conversions, which wait for one another. */
  readonly oldestSeconds: number;
  /** Mails that are due, or that the mail server has not accepted. */
  readonly waitingMails: number;
}

export async function readJobDelays(db: Db, now: Date): Promise<JobDelays> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const isWaiting = isNull(jobs.failedAt);
  const isDue = sql`${isWaiting} and ${jobs.runAt} <= ${at}`;
  const [row] = await db
    .select({
      oldestSeconds: sql<number>`coalesce(extract(epoch from ${at} - min(${jobs.runAt}) filter (where ${isDue} and ${not(isInLane("video"))})), 0)::float`,
      waitingMails: sql<number>`count(*) filter (where ${isInLane("mail")} and ${isWaiting} and (${jobs.attempts} > 0 or ${jobs.runAt} <= ${at}))::int`,
    })
    .from(jobs);
  return row ?? { oldestSeconds: 0, waitingMails: 0 };
}
