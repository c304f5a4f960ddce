import type { PaymentHandlers } from "#server/payments/handlers.ts";
import { purchaseOutcomes } from "#server/purchases/outcomes.ts";
import { hasOpenRefund, sumReturned } from "#server/refunds/refunds.ts";
import { followPurchase } from "#server/subscriptions/follow-purchase.ts";
import { renewalOutcomes } from "#server/subscriptions/renewal-outcomes.ts";
import { stopForCredentials } from "#server/subscriptions/renewal-stops.ts";

/** Wired here, so that payments, purchases and subscriptions import no later domain. */
export const paymentHandlers: PaymentHandlers = {
  outcomes: { initial: purchaseOutcomes(followPurchase), renewal: renewalOutcomes },
  credentialsRefused: stopForCredentials,
  hasOpenRefund,
  sumReturnedOf: (db, chargeIds) => sumReturned(db, "attemptId", chargeIds),
};
