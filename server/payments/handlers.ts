import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import type { ChargeOutcome } from "#server/gateway/gateway.ts";
import type { AttemptKind } from "./states.ts";
import type { AttemptRow } from "./tables.ts";

export type Approved = ChargeOutcome & { readonly kind: "approved" };
export type Failed = ChargeOutcome & { readonly kind: "declined" | "not-processed" };

/** In the transaction that records the outcome. */
export interface OutcomeHandler {
  approved(tx: Db, attempt: AttemptRow, outcome: Approved, now: Date): Promise<void>;
  failed(tx: Db, attempt: AttemptRow, outcome: Failed, now: Date): Promise<void>;
}

/** Handed in by `server/payment-handlers.ts`: payments knows no domain that comes after it. */
export interface PaymentHandlers {
  readonly outcomes: Readonly<Record<AttemptKind, OutcomeHandler>>;
  credentialsRefused(tx: Db, code: string | null, now: Date): Promise<void>;
  /** While money of a purchase is on its way back, nothing may be charged for it. */
  hasOpenRefund(db: Db, purchaseId: string): Promise<boolean>;
  /** Cents that went back, by charge. */
  sumReturnedOf(db: Db, chargeIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

export interface PaymentContext extends Context {
  readonly paymentHandlers: PaymentHandlers;
}
