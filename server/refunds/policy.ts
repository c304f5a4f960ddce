import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { userById } from "#server/identity/users.ts";
import { type AttemptRow, listCharges } from "#server/payments/attempts.ts";
import {
  coveredUntil,
  findFirstPayment,
  listReplacedPurchases,
  type PurchaseRow,
  type PurchaseWithPlan,
} from "#server/purchases/purchases.ts";
import { refundedOf } from "./queries.ts";
import { isReplaced } from "./replaced.ts";

/**
 * Whether the refund policy covers the purchase. It covers the first purchase of a student, whatever account it was
 * made with, and an upgrade of it within the policy's days.
 */
export async function policyOf(
  { hashMailbox }: Pick<Context, "hashMailbox">,
  db: Db,
  purchase: PurchaseRow,
  now: Date,
) {
  const { userId } = purchase;
  // Also the hash of an unconfirmed address: it is only compared, and an administrator decides.
  const addressHash = hashMailbox((await userById(db, userId)).email);
  const first = await findFirstPayment(db, { userId, addressHash });
  const until = first && (await coveredUntil(db, purchase, first));
  const isFromEarlierAccount = first !== null && first.userId !== userId;
  return { withinPolicy: until !== null && now <= until, policyUntil: until, isFromEarlierAccount };
}

export interface RefundedTogether {
  readonly purchase: PurchaseWithPlan;
  readonly charge: AttemptRow & { readonly transactionId: string };
  readonly leftCents: number;
}

/** Charges of replaced purchases that are refunded together with an upgrade within the policy. */
export async function listRefundedTogether(
  ctx: Pick<Context, "hashMailbox">,
  db: Db,
  purchase: PurchaseRow,
  now: Date,
): Promise<RefundedTogether[]> {
  if (purchase.creditFrom.length === 0 || !(await policyOf(ctx, db, purchase, now)).withinPolicy) return [];
  // Its value is already part of the credit of the plan that replaced it.
  if (await isReplaced(db, purchase)) return [];
  const found: RefundedTogether[] = [];
  for (const replaced of await listReplacedPurchases(db, purchase)) {
    for (const charge of await listCharges(db, replaced.id)) {
      const leftCents = charge.amount - (await refundedOf(db, charge.id));
      const { transactionId } = charge;
      if (leftCents > 0 && transactionId)
        found.push({ purchase: replaced, charge: { ...charge, transactionId }, leftCents });
    }
  }
  return found;
}
