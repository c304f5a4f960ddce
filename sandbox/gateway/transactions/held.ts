import { inTransaction, type Store } from "../../store.ts";
import { changeStatus, findTransaction, type Transaction } from "../ledger.ts";
import { authorisation } from "./charges.ts";

/**
 * Approves or declines a transaction that is held for review, like the merchant. An approved one is then charged or
 * refunded. Returns it in its new state, or null when no such transaction is held.
 */
export function decideHeld(
  store: Store,
  now: Date,
  transId: string,
  decision: "approve" | "decline",
): Transaction | null {
  return inTransaction(store, () => {
    const held = findTransaction(store, transId);
    if (held?.status !== "FDSPendingReview") return null;
    if (decision === "decline") {
      return changeStatus(store, held, {
        status: "declined",
        responseCode: "2",
        reasonCode: "254",
        settleCents: 0,
        since: now.toISOString(),
      });
    }
    const isRefund = held.type === "refundTransaction";
    return changeStatus(store, held, {
      status: isRefund ? "refundPendingSettlement" : "capturedPendingSettlement",
      responseCode: "1",
      reasonCode: "1",
      ...(!isRefund && authorisation()),
      since: now.toISOString(),
    });
  });
}
