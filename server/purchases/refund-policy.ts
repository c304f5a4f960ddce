import type { Db } from "#server/db/db.ts";
import { type FirstPayment, findPurchase, type PurchaseWithPlan } from "./queries.ts";
import { policyUntil } from "./rules.ts";
import type { PurchaseRow } from "./tables.ts";

type Covered = Pick<PurchaseRow, "creditFrom" | "completedAt"> & { readonly id?: string };

/** Until when a purchase can be refunded: the student's first one, or an upgrade of it. Null for any other. */
export async function coveredUntil(db: Db, purchase: Covered, first: FirstPayment): Promise<Date | null> {
  const until = policyUntil(first);
  if (purchase.id === first.purchaseId) return until;
  if (purchase.completedAt === null || purchase.completedAt > until) return null;
  return (await listReplacedPurchases(db, purchase)).some(({ id }) => id === first.purchaseId) ? until : null;
}

/** Includes those that the replaced ones had replaced. */
export async function listReplacedPurchases(
  db: Db,
  { creditFrom }: Pick<PurchaseRow, "creditFrom">,
): Promise<PurchaseWithPlan[]> {
  const found: PurchaseWithPlan[] = [];
  for (const id of new Set(creditFrom.map(({ purchaseId }) => purchaseId))) {
    const replaced = await findPurchase(db, id);
    if (replaced) found.push(replaced, ...(await listReplacedPurchases(db, replaced)));
  }
  return found;
}
