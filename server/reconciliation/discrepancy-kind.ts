import type { Db } from "#server/db/db.ts";
import type { Discrepancy, DiscrepancyRow } from "#server/discrepancies/discrepancies.ts";
import type { PaymentContext } from "#server/payments/handlers.ts";

export interface RepairRequest {
  readonly discrepancyId: string;
  /** Null: the kind's default action. */
  readonly action: string | null;
  /** The transaction id of the charge that a credit refers to. */
  readonly charge: string | null;
  readonly actor: string;
  readonly reason?: string | undefined;
}

/** Returns what was done, as shown in the list. Null: begun, but open until its outcome is known. */
export type Repair = (ctx: PaymentContext, row: DiscrepancyRow, request: RepairRequest) => Promise<string | null>;

export interface Action {
  readonly action: string;
  readonly label: string;
  /** Its effect on money and access. */
  readonly effect: string;
  readonly repair: Repair;
}

/** What a sentence may name, in words. */
export interface Told {
  /** Name and email address. */
  readonly who: string;
  /** Plan and id of the purchase. */
  readonly what: string;
  readonly charge: string;
  readonly transactionId: string | null;
  /** Amounts by our books and by the gateway's. */
  readonly ours: string;
  readonly theirs: string;
  readonly detail: string | null;
}

interface Described {
  readonly title: string;
  readonly sentence: (told: Told) => string;
}

/** The actions of an administrator that repair it, the default first. */
export interface DecidedKind extends Described {
  readonly actions: readonly [Action, ...Action[]];
}

/** A copy of what other rows say, which a comparison repairs and lists as repaired. See docs/decisions/0078. */
export interface CountedKind extends Described {
  readonly actions: readonly [];
  /** @returns what was done */
  readonly repairAlone: (tx: Db, found: Discrepancy, now: Date) => Promise<string>;
}

export type Kind = DecidedKind | CountedKind;
