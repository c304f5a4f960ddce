import { after } from "#server/clock.ts";
import type { Db } from "#server/db/db.ts";
import { enqueueJob } from "#server/jobs/jobs.ts";
import type { AttemptRow } from "../queries.ts";
import { orphanedAfter } from "../rules.ts";
import { paymentAttempts } from "../tables.ts";

/**
 * Writes an attempt as sent, with the look that finds out what became of it should this process die. Commit it before
 * the gateway is called.
 */
export async function recordSent(
  tx: Db,
  attempt: Omit<typeof paymentAttempts.$inferInsert, "state">,
): Promise<AttemptRow> {
  const [row] = await tx
    .insert(paymentAttempts)
    .values({ ...attempt, state: "sent" })
    .returning();
  if (!row) throw new Error("an insert returned no row");
  await enqueueJob(tx, {
    name: "resolve-payment",
    data: { attemptId: row.id, look: 0 },
    key: row.id,
    runAt: after(row.sentAt, orphanedAfter),
    now: row.sentAt,
  });
  return row;
}
