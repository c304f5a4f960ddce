import { queryOptions } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { getPaymentConfig } from "#contract/purchases/purchases.ts";

/** The public identifiers for the card form. */
export const paymentConfigQuery = queryOptions({
  queryKey: ["payment-config"],
  queryFn: ({ signal }) => api(getPaymentConfig, { signal }),
});
