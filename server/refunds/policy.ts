import type { Db } from "#server/db/db.ts";
import { type AttemptRow, listCharges } from "#server/payments/attempts.ts";
import {
  findFirstPayment,
  findPurchase,
  type PurchaseRow,
  type PurchaseWithPlan,
} from "#server/purchases/purchases.ts";
import { refundedOf } from "./queries.ts";
import { isReplaced } from "./replaced.ts";
import { policyUntil } from "./rules.ts";

/** An upgrade of the first purchase within its days belongs to it. */
export async function policyOf(db: Db, purchase: PurchaseRow, now: Date) {
  const first = await findFirstPayment(db, purchase.userId);
  const belongsToFirst =
    first !== null &&
    (first.purchaseId === purchase.id ||
      ((await listReplacedPurchases(db, purchase)).some(({ id }) => id === first.purchaseId) &&
        purchase.completedAt !== null &&
        purchase.completedAt <= policyUntil(first)));
  const until = belongsToFirst ? policyUntil(first) : null;
  return { withinPolicy: until !== null && now <= until, policyUntil: until };
}

export interface RefundedTogether {
  readonly purchase: PurchaseWithPlan;
  readonly charge: AttemptRow & { readonly transactionId: string };
  readonly leftCents: number;
}

/** An upgrade within the policy belongs to the first purchase. */
export async function listRefundedTogether(db: Db, purchase: PurchaseRow, now: Date): Promise<RefundedTogether[]> {
  if (purchase.creditFrom.length === 0 || !(await policyOf(db, purchase, now)).withinPolicy) return [];
  // What it was credited with is in the credit of the plan that took its place.
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

/** With those that they had replaced in their turn. */
async function listReplacedPurchases(db: Db, { creditFrom }: PurchaseRow): Promise<PurchaseWithPlan[]> {
  const found: PurchaseWithPlan[] = [];
  for (const id of new Set(creditFrom.map(({ purchaseId }) => purchaseId))) {
    const replaced = await findPurchase(db, id);
    if (replaced) found.push(replaced, ...(await listReplacedPurchases(db, replaced)));
  }
  return found;
}
