import { after } from "#server/clock.ts";
import type { Db } from "#server/db/db.ts";
import { idFor } from "#server/db/id.ts";
import { enqueueJob } from "#server/jobs/jobs.ts";
import type { AttemptRow } from "#server/purchases/queries.ts";
import { orphanedAfter } from "#server/purchases/rules.ts";
import { paymentAttempts } from "#server/purchases/tables.ts";

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

/** Declines of one period beyond these would have needed more tries than the card networks allow. */
const mostInvoices = 60;

/**
 * The invoice of a renewal, equal for each period until a charge of it was declined: what is sent twice by mistake, or
 * after an answer that was lost, the gateway then knows for a duplicate.
 */
export function invoiceOf(purchaseId: string, renewsFrom: Date | null, declines: number): string {
  return idFor(purchaseId, renewsFrom?.toISOString() ?? "", String(declines));
}

/** Every invoice under which a period may have been charged, also in days that a restored backup does not know. */
export function invoicesOfPeriod(purchaseId: string, renewsFrom: Date): string[] {
  return Array.from({ length: mostInvoices }, (_, declines) => invoiceOf(purchaseId, renewsFrom, declines));
}
