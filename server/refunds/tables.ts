import { boolean, check, index, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import { cents, id, instant, isOneOf } from "#server/db/columns.ts";
import type { FailureCause } from "#server/gateway/gateway.ts";
import { ofUser } from "#server/identity/tables.ts";
import { paymentAttempts } from "#server/payments/tables.ts";
import { ofPurchase } from "#server/purchases/tables.ts";
import { openRefundStates, type RefundKind, type RefundState, refundKinds, refundStates } from "./rules.ts";

/** Committed as sent before the gateway is called, like a charge. */
export const refunds = snakeCase.table(
  "refunds",
  {
    id: id(),
    purchaseId: ofPurchase(),
    attemptId: text()
      .notNull()
      .references(() => paymentAttempts.id),
    userId: ofUser(),
    /** A void takes back what has not settled, whole; a refund pays back what has. */
    kind: text().$type<RefundKind>().notNull(),
    amount: cents().notNull(),
    endsAccess: boolean().notNull(),
    reference: text().notNull(),
    /** Kept for the next try while this outcome is unknown, so that the gateway recognises a duplicate. */
    invoiceNumber: text(),
    /** One that did not arrive: it counts again when this one is not made either. */
    replaces: text(),
    state: text().$type<RefundState>().notNull(),
    /** `duplicate`: the gateway says that it has the refund already · `held`: it has it, and reviews it. */
    cause: text().$type<FailureCause | "duplicate" | "held">(),
    transactionId: text(),
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
    index("refunds_transaction_id").on(table.transactionId),
    uniqueIndex("refunds_reference_unique").on(table.reference),
    uniqueIndex("refunds_one_open").on(table.attemptId).where(isOneOf(table.state, openRefundStates)),
  ],
);

export type RefundRow = typeof refunds.$inferSelect;
