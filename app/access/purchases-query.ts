import { queryOptions } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { listUserPurchases, type Purchase } from "#contract/purchases/purchases.ts";

/** The signed-in student's purchases, newest first. */
export const purchasesQuery = queryOptions({
  queryKey: ["purchases"],
  queryFn: ({ signal }): Promise<Purchase[]> => api(listUserPurchases, { signal }),
});

/** The newest purchase while its payment is being confirmed, else null: it stands in the way of another try. */
export function pendingPurchase(purchases: readonly Purchase[]): Purchase | null {
  return purchases[0]?.status === "pending" ? purchases[0] : null;
}
