import { eq } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { isUniqueViolation } from "#server/db/db.ts";
import type { CardOutcome } from "#server/gateway/gateway.ts";
import { tokenUsed } from "./submissions.ts";
import { cardValidations } from "./tables.ts";

export type ValidationRow = typeof cardValidations.$inferSelect;

/**
 * Commit before the gateway is called, which validates a card at the bank before it stores it.
 * @throws Refusal card-token-used.
 */
export async function recordValidationSent(
  tx: Db,
  validation: { purchaseId: string; userId: string; tokenHash: string; clientHash: string; sentAt: Date },
): Promise<ValidationRow> {
  const [row] = await tx
    .insert(cardValidations)
    .values({ ...validation, state: "sent" })
    .returning()
    .catch((error) => {
      throw isUniqueViolation(error, "card_validations_token_hash_unique") ? tokenUsed() : error;
    });
  if (!row) throw new Error("an insert returned no row");
  return row;
}

/** If the process dies, the validation stays `sent` and counts as declined. */
export async function recordValidation(db: Db, id: string, outcome: CardOutcome, now: Date): Promise<void> {
  const reasonCode = outcome.kind === "kept" ? null : outcome.codes.reason;
  await db
    .update(cardValidations)
    .set({ state: outcome.kind, reasonCode, resolvedAt: now })
    .where(eq(cardValidations.id, id));
}
