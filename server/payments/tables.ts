import { sql } from "drizzle-orm";
import { boolean, check, index, integer, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import { cents, id, instant, isOneOf } from "#server/db/columns.ts";
import type { CardOutcome, FailureCause } from "#server/gateway/gateway.ts";
import { ofUser } from "#server/identity/tables.ts";
import {
  type AttemptInitiator,
  type AttemptKind,
  type AttemptState,
  attemptInitiators,
  attemptKinds,
  attemptStates,
  openStates,
} from "./states.ts";

/** Committed as `sent` before the gateway is called, resolved afterwards. */
export const paymentAttempts = snakeCase.table(
  "payment_attempts",
  {
    id: id(),
    purchaseId: text().notNull(),
    userId: ofUser(),
    kind: text().$type<AttemptKind>().notNull(),
    initiatedBy: text().$type<AttemptInitiator>().notNull().default("student"),
    /** For a renewal, the end of the paid period that it extends. Each has at most one approved charge. */
    renewsFrom: instant(),
    /** The hash of the card token, or the renewal with the number of its try. */
    idempotencyKey: text().notNull(),
    reference: text().notNull(),
    invoiceNumber: text().notNull(),
    amount: cents().notNull(),
    state: text().$type<AttemptState>().notNull(),
    /** A new card for renewals. It replaces the old one when the charge is approved. */
    paymentProfileId: text(),
    transactionId: text(),
    /** Given when it is approved, and kept when the charge turns out to be none. Null: from before there were numbers. */
    receiptNumber: text(),
    /** `duplicate`: the gateway reports that it has the charge already. */
    cause: text().$type<FailureCause | "duplicate">(),
    responseCode: text(),
    reasonCode: text(),
    avs: text(),
    cvv: text(),
    last4: text(),
    brand: text(),
    /** Hash of the client's network address, for counting. */
    clientHash: text(),
    note: text(),
    sentAt: instant().notNull(),
    resolvedAt: instant(),
    checkedAt: instant(),
  },
  (table) => [
    check("payment_attempts_kind", isOneOf(table.kind, attemptKinds)),
    check("payment_attempts_initiated_by", isOneOf(table.initiatedBy, attemptInitiators)),
    check("payment_attempts_state", isOneOf(table.state, attemptStates)),
    index("payment_attempts_purchase_id").on(table.purchaseId),
    uniqueIndex("payment_attempts_idempotency_key_unique").on(table.idempotencyKey),
    uniqueIndex("payment_attempts_reference_unique").on(table.reference),
    uniqueIndex("payment_attempts_transaction_id_unique").on(table.transactionId),
    uniqueIndex("payment_attempts_receipt_number_unique").on(table.receiptNumber),
    // Covers the query that counts recoveries, which then needs no row.
    index("payment_attempts_approved")
      .on(table.resolvedAt, table.purchaseId, table.renewsFrom)
      .where(sql`${table.state} = 'approved'`),
    index("payment_attempts_card").on(table.last4, table.brand, table.userId).where(sql`${table.state} = 'approved'`),
    index("payment_attempts_recheck")
      .on(sql`coalesce(${table.checkedAt}, ${table.resolvedAt})`)
      .where(sql`${table.state} = 'approved'`),
    index("payment_attempts_declined")
      .on(table.sentAt, table.purchaseId, table.renewsFrom, table.kind)
      .where(sql`${table.state} = 'declined'`),
    uniqueIndex("payment_attempts_one_open").on(table.userId).where(isOneOf(table.state, openStates)),
    uniqueIndex("payment_attempts_one_per_period")
      .on(table.purchaseId, table.renewsFrom)
      .where(isOneOf(table.state, [...openStates, "approved"])),
  ],
);

export type AttemptRow = typeof paymentAttempts.$inferSelect;

/** The last receipt number of each year. */
export const receiptCounters = snakeCase.table("receipt_counters", {
  year: integer().primaryKey(),
  last: integer().notNull(),
});

/**
 * A narrow copy of each charge for statistics, a tenth of its size. Only database triggers write it, together with
 * the charge, so it is never stale. Has no foreign keys, because a restore fills it first.
 */
export const countedCharges = snakeCase.table(
  "counted_charges",
  {
    attemptId: text().primaryKey(),
    userId: text().notNull(),
    /** The purchase's. */
    planId: text().notNull(),
    /** The first charge of its purchase, not a renewal. */
    isFirst: boolean().notNull(),
    cents: integer().notNull(),
    chargedAt: instant(),
  },
  (table) => [
    index("counted_charges_charged_at").on(table.chargedAt, table.planId, table.cents, table.isFirst),
    index("counted_charges_user_id").on(table.userId, table.chargedAt, table.planId, table.cents),
  ],
);

/** What a card's owner may be shown of it, and the ids for charging it. */
export const paymentMethods = snakeCase.table(
  "payment_methods",
  {
    id: id(),
    userId: ofUser(),
    /** Null until the gateway has stored the card, and after it has deleted it. */
    customerProfileId: text(),
    paymentProfileId: text(),
    networkTransactionId: text(),
    /** The amount of the charge with this network transaction id. Null: the subscription's price. */
    chargedAmount: cents(),
    brand: text(),
    last4: text(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index("payment_methods_user_id").on(table.userId),
    index("payment_methods_payment_profile_id").on(table.paymentProfileId),
  ],
);

export type PaymentMethodRow = typeof paymentMethods.$inferSelect;

const cardValidationStates = ["sent", "kept", "declined", "failed"] as const satisfies readonly CardValidationState[];
type CardValidationState = "sent" | CardOutcome["kind"];

/** Cards that were submitted while nothing was due. The gateway validates them at the bank without a charge. */
export const cardValidations = snakeCase.table(
  "card_validations",
  {
    id: id(),
    purchaseId: text().notNull(),
    userId: ofUser(),
    state: text().$type<CardValidationState>().notNull(),
    tokenHash: text().notNull(),
    /** Hash of the network address it came from: enough to count by. */
    clientHash: text(),
    reasonCode: text(),
    sentAt: instant().notNull(),
    resolvedAt: instant(),
  },
  (table) => [
    check("card_validations_state", isOneOf(table.state, cardValidationStates)),
    uniqueIndex("card_validations_token_hash_unique").on(table.tokenHash),
    index("card_validations_sent_at").on(table.sentAt),
  ],
);

/** Writes `countedCharges`, and refers to purchases, which this domain must not import. @internal */
export const addedByMigrations = [
  "function count_charge",
  "trigger payment_attempts.count_charge",
  "constraint payment_attempts.payment_attempts_purchase_id_purchases_id_fkey",
  "constraint card_validations.card_validations_purchase_id_purchases_id_fkey",
];
