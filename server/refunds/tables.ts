import { boolean, check, index, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import { cents, id, instant, isOneOf } from "#server/db/columns.ts";
import type { FailureCause } from "#server/gateway/gateway.ts";
import { ofUser } from "#server/identity/tables.ts";
import { paymentAttempts } from "#server/payments/tables.ts";
import { ofPurchase } from "#server/purchases/tables.ts";
import { openRefundStates, type RefundKind, type RefundState, refundKinds, refundStates } from "./rules.ts";

/** Committed as `sent` before the gateway is called, like a charge. */
export const refunds = snakeCase.table(
  "refunds",
  {
    id: id(),
    purchaseId: ofPurchase(),
    attemptId: text()
      .notNull()
      .references(() => paymentAttempts.id),
    userId: ofUser(),
    /** A void returns all of an unsettled charge, a refund any part of a settled one. */
    kind: text().$type<RefundKind>().notNull(),
    amount: cents().notNull(),
    endsAccess: boolean().notNull(),
    /** The paid end until which access was kept, without a renewal, when all of the newest charge went back. */
    accessKeptUntil: instant(),
    reference: text().notNull(),
    /** Reused by the next try while the outcome is unknown, so that the gateway detects a duplicate. */
    invoiceNumber: text(),
    /** The refund that did not arrive and that this one repeats. It counts as made again if this one is refused. */
    replaces: text(),
    state: text().$type<RefundState>().notNull(),
    /** `duplicate`: the gateway reports that it has the refund already · `held`: it holds the refund for review. */
    cause: text().$type<FailureCause | "duplicate" | "held">(),
    transactionId: text(),
    /** Taken back by the card holder's bank. */
    isDispute: boolean().notNull().default(false),
    actor: text().notNull(),
    reason: text(),
    note: text(),
    sentAt: instant().notNull(),
    resolvedAt: instant(),
    checkedAt: instant(),
  },
  (table) => [
    check("refunds_kind", isOneOf(table.kind, refundKinds)),
    check("refunds_state", isOneOf(table.state, refundStates)),
    index("refunds_purchase_id").on(table.purchaseId),
    index("refunds_user_id").on(table.userId),
    index("refunds_transaction_id").on(table.transactionId),
    uniqueIndex("refunds_reference_unique").on(table.reference),
    uniqueIndex("refunds_one_open").on(table.attemptId).where(isOneOf(table.state, openRefundStates)),
  ],
);

export type RefundRow = typeof refunds.$inferSelect;
