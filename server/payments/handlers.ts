import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import type { ChargeOutcome } from "#server/gateway/gateway.ts";
import type { AttemptKind } from "./states.ts";
import type { AttemptRow } from "./tables.ts";

export type Approved = ChargeOutcome & { readonly kind: "approved" };
export type Failed = ChargeOutcome & { readonly kind: "declined" | "not-processed" };

/** Runs in the transaction that records the outcome. */
export interface OutcomeHandler {
  approved(tx: Db, attempt: AttemptRow, outcome: Approved, now: Date): Promise<void>;
  failed(tx: Db, attempt: AttemptRow, outcome: Failed, now: Date): Promise<void>;
}

/** Injected by `server/payment-handlers.ts`, because payments must not import the domains that depend on it. */
export interface PaymentHandlers {
  readonly outcomes: Readonly<Record<AttemptKind, OutcomeHandler>>;
  credentialsRefused(tx: Db, code: string | null, now: Date): Promise<void>;
  /** Nothing may be charged for a purchase with an open refund. */
  hasOpenRefund(db: Db, purchaseId: string): Promise<boolean>;
  /** Returned cents, by charge. */
  sumReturnedOf(db: Db, chargeIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

export interface PaymentContext extends Context {
  readonly paymentHandlers: PaymentHandlers;
}
