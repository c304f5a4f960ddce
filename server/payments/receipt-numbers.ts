import { eq, sql } from "drizzle-orm";
import { knownZone } from "#contract/coaching/times.ts";
import { dateIn } from "#server/base/dates.ts";
import type { Db } from "#server/db/db.ts";
import { currentSettings } from "#server/settings/settings.ts";
import { type AttemptRow, paymentAttempts, receiptCounters } from "./tables.ts";

/**
 * Gives an approved charge the next receipt number of its year, such as `ACME-2027-0042`, unless it has one. The
 * counter stays locked until the transaction ends, so that no number is skipped or given twice.
 */
export async function numberReceipt(tx: Db, attempt: AttemptRow): Promise<AttemptRow> {
  if (attempt.receiptNumber !== null) return attempt;
  const { receiptPrefix, timeZone } = await currentSettings(tx);
  const { year } = dateIn(knownZone(timeZone), attempt.resolvedAt ?? attempt.sentAt);
  const [counter] = await tx
    .insert(receiptCounters)
    .values({ year, last: 1 })
    .onConflictDoUpdate({ target: receiptCounters.year, set: { last: sql`${receiptCounters.last} + 1` } })
    .returning();
  const number = [receiptPrefix, year, String(counter?.last).padStart(4, "0")].filter((part) => part !== null);
  const [numbered] = await tx
    .update(paymentAttempts)
    .set({ receiptNumber: number.join("-") })
    .where(eq(paymentAttempts.id, attempt.id))
    .returning();
  return numbered ?? attempt;
}

/** Receipts of before there were numbers show the id of their charge. */
export function receiptNumberOf({ receiptNumber, id }: Pick<AttemptRow, "receiptNumber" | "id">): string {
  return receiptNumber ?? id;
}
