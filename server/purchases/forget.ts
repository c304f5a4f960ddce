import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { forgetPayer, requireNoOpenPayment } from "#server/payments/forget.ts";
import { addHashes } from "./mailboxes.ts";
import { purchases } from "./tables.ts";

/**
 * Keeps purchases for accounting, with the hash of a confirmed address.
 * @throws Refusal payment-in-progress, because a payment may have begun meanwhile.
 */
export async function forgetBuyer(
  tx: Db,
  { userId, addressHash }: { readonly userId: string; readonly addressHash: string | null },
  now: Date,
): Promise<void> {
  await requireNoOpenPayment(tx, userId);
  if (addressHash !== null) await addHashes(tx, { [userId]: addressHash });
  await tx
    .update(purchases)
    .set({ consent: sql`(${purchases.consent}::jsonb || '{"address": ""}')::json` })
    .where(and(eq(purchases.userId, userId), isNotNull(purchases.consent)));
  await forgetPayer(tx, userId, now);
}
