import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { forgetPayer, requireNoOpenPayment } from "#server/payments/forget.ts";
import { purchases } from "./tables.ts";

/** Keeps purchases for accounting. @throws Refusal payment-in-progress, because a payment may have begun meanwhile. */
export async function forgetBuyer(tx: Db, userId: string, now: Date): Promise<void> {
  await requireNoOpenPayment(tx, userId);
  await tx
    .update(purchases)
    .set({ consent: sql`(${purchases.consent}::jsonb || '{"address": ""}')::json` })
    .where(and(eq(purchases.userId, userId), isNotNull(purchases.consent)));
  await forgetPayer(tx, userId, now);
}
