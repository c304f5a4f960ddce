import { queryOptions } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { listUserPurchases, type Purchase } from "#contract/purchases/purchases.ts";

/** The signed-in student's purchases, newest first. */
export const purchasesQuery = queryOptions({
  queryKey: ["purchases"],
  queryFn: ({ signal }): Promise<Purchase[]> => api(listUserPurchases, { signal }),
});

/** The newest purchase if its payment is still being confirmed, else null. It blocks another purchase. */
export function pendingPurchase(purchases: readonly Purchase[]): Purchase | null {
  return purchases[0]?.status === "pending" ? purchases[0] : null;
}
