import { queryOf } from "#app/api/query.ts";
import { listUserPurchases, type Purchase } from "#contract/purchases/purchases.ts";

/** The signed-in student's purchases, newest first. */
export const purchasesQuery = queryOf(listUserPurchases);

/** The newest purchase if its payment is still being confirmed, else null. It blocks another purchase. */
export function pendingPurchase(purchases: readonly Purchase[]): Purchase | null {
  return purchases[0]?.status === "pending" ? purchases[0] : null;
}
