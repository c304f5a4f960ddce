import { sql } from "drizzle-orm";
import { check, index, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import { cents, id, instant, isOneOf } from "#server/db/columns.ts";
import type { CardOutcome, FailureCause } from "#server/gateway/gateway.ts";
import { users } from "#server/identity/tables.ts";
import {
  type AttemptInitiator,
  type AttemptKind,
  type AttemptState,
  attemptInitiators,
  attemptKinds,
  attemptStates,
  openStates,
} from "./states.ts";

/** One try at moving money. It is committed as sent before the gateway is called and resolved after it. */
export const paymentAttempts = snakeCase.table(
  "payment_attempts",
  {
    id: id(),
    /** What it pays for. The foreign key stands in the database alone: this domain does not know purchases. */
    purchaseId: text().notNull(),
    userId: text()
      .notNull()
      .references(() => users.id),
    kind: text().$type<AttemptKind>().notNull(),
    /** Who began it: a student who gave a card, or the academy that renews. */
    initiatedBy: text().$type<AttemptInitiator>().notNull().default("student"),
    /** For a renewal the end of the paid period that it goes on from: one approved charge for each. */
    renewsFrom: instant(),
    /** What tells a submission from another: the hash of its card token, or the renewal and its try. */
    idempotencyKey: text().notNull(),
    reference: text().notNull(),
    invoiceNumber: text().notNull(),
    amount: cents().notNull(),
    state: text().$type<AttemptState>().notNull(),
    /** A stored card that is charged in place of the one that renewals were charged to; approved, it becomes that one. */
    paymentProfileId: text(),
    transactionId: text(),
    /** Why the money did not move; `duplicate`: the gateway says that it has the charge already. */
    cause: text().$type<FailureCause | "duplicate">(),
    responseCode: text(),
    reasonCode: text(),
    avs: text(),
    cvv: text(),
    last4: text(),
    brand: text(),
    /** Hash of the network address it came from: enough to count by. */
    clientHash: text(),
    /** Why the outcome is what it is, for the log and the administrator. */
    note: text(),
    sentAt: instant().notNull(),
    resolvedAt: instant(),
    /** When the gateway was last asked what became of an approved charge. */
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
    // All that revenue is added up from.
    index("payment_attempts_approved")
      .on(table.resolvedAt, table.purchaseId, table.amount)
      .where(sql`${table.state} = 'approved'`),
    // Which approved charges are compared again next.
    index("payment_attempts_recheck")
      .on(sql`coalesce(${table.checkedAt}, ${table.resolvedAt})`)
      .where(sql`${table.state} = 'approved'`),
    index("payment_attempts_declined").on(table.sentAt).where(sql`${table.state} = 'declined'`),
    uniqueIndex("payment_attempts_one_open").on(table.userId).where(isOneOf(table.state, openStates)),
    uniqueIndex("payment_attempts_one_per_period")
      .on(table.purchaseId, table.renewsFrom)
      .where(isOneOf(table.state, [...openStates, "approved"])),
  ],
);

export type AttemptRow = typeof paymentAttempts.$inferSelect;

/** A card on file at the gateway. Of it we keep what its owner may be shown, and the numbers by which it is charged. */
export const paymentMethods = snakeCase.table(
  "payment_methods",
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id),
    /** The gateway's number of the customer, and of the card; null while the gateway has yet to keep it, or forgot it. */
    customerProfileId: text(),
    paymentProfileId: text(),
    /** By which the card networks know the first charge to it. */
    networkTransactionId: text(),
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

/** A card that a student gave while nothing was due: the gateway tries it at the bank without moving money. */
export const cardValidations = snakeCase.table(
  "card_validations",
  {
    id: id(),
    /** What is renewed from it. The foreign key stands in the database alone: this domain does not know purchases. */
    purchaseId: text().notNull(),
    userId: text()
      .notNull()
      .references(() => users.id),
    state: text().$type<CardValidationState>().notNull(),
    /** Hash of the card's token, which is good for one use. */
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
