import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import type { ChargeOutcome } from "#server/gateway/gateway.ts";
import type { AttemptKind } from "./states.ts";
import type { AttemptRow } from "./tables.ts";

export type Approved = ChargeOutcome & { readonly kind: "approved" };
export type Failed = ChargeOutcome & { readonly kind: "declined" | "not-processed" };

/** What follows from the outcome of an attempt, in the transaction that records it. */
export interface OutcomeHandler {
  approved(tx: Db, attempt: AttemptRow, outcome: Approved, now: Date): Promise<void>;
  failed(tx: Db, attempt: AttemptRow, outcome: Failed, now: Date): Promise<void>;
}

/** What others do about payments, handed in by `server/payment-handlers.ts`: payments knows none of them. */
export interface PaymentHandlers {
  readonly outcomes: Readonly<Record<AttemptKind, OutcomeHandler>>;
  /** The gateway refused our own credentials, with this code. */
  credentialsRefused(tx: Db, code: string | null, now: Date): Promise<void>;
  /** Whether money of a purchase is on its way back, so that nothing may be charged for it. */
  hasOpenRefund(db: Db, purchaseId: string): Promise<boolean>;
  /** Cents that went back, by charge. */
  sumReturnedOf(db: Db, chargeIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** What use cases get that may move money. */
export interface PaymentContext extends Context {
  readonly paymentHandlers: PaymentHandlers;
}
