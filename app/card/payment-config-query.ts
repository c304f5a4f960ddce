import { queryOf } from "#app/api/query.ts";
import { getPaymentConfig } from "#contract/purchases/purchases.ts";

/** The public identifiers for the card form. */
export const paymentConfigQuery = queryOf(getPaymentConfig);
