import { DAY } from "#server/base/clock.ts";
import { findRow, insertRow, inTransaction, listRows, readSetting, type Store } from "../../store.ts";
import {
  batchIdOf,
  batchNumberOf,
  changeStatus,
  findTransaction,
  removeFromReports,
  type Transaction,
} from "../ledger.ts";

/** Once a day, by the sandbox's clock. At the real gateway, merchants choose the hour. */
const SETTLES_AT_HOUR_UTC = 22;
/** @internal The name of the setting with another hour. */
export const settlementHour = "settlement-hour-utc";

export interface Batch {
  readonly batchId: string;
  readonly settledAt: string;
  readonly state: string;
}

/** Settlement skips what is held. */
const HELD = "FDSPendingReview";

const settled: Readonly<Record<string, string>> = {
  capturedPendingSettlement: "settledSuccessfully",
  refundPendingSettlement: "refundSettledSuccessfully",
};

/**
 * Settles everything due, in one batch per day. Declined and voided transactions join the batch of their day
 * unchanged (UNSURE for days with nothing else).
 */
export function settleDue(store: Store, now: Date): void {
  const cutoff = new Date(cutoffAfter(store, now).getTime() - DAY).toISOString();
  const due = listRows<{ since: string; status: string; number: number }>(
    store,
    `select since, status, number from standings
     where batchNumber is null and since < ? and status <> ? order by since, number`,
    cutoff,
    HELD,
  );
  if (due.length === 0) return;
  inTransaction(store, () => {
    const days = Map.groupBy(due, ({ since }) => cutoffAfter(store, new Date(since)).toISOString());
    for (const [settledAt, rows] of [...days].sort(([one], [other]) => one.localeCompare(other))) {
      const batchNumber = openBatch(store, settledAt, "settledSuccessfully");
      const update = store.prepare("update standings set status = ?, batchNumber = ? where number = ?");
      for (const { number, status } of rows) update.run(settled[status] ?? status, batchNumber, number);
    }
  });
}

export const MISHAPS = ["chargeback", "chargebackReversal", "settlementError", "settledAnyway", "missing"] as const;
export type Mishap = (typeof MISHAPS)[number];

/** A charge whose money the merchant has, also after a dispute that was won. */
export const SETTLED: readonly string[] = ["settledSuccessfully", "chargebackReversal"];
const TAKEN: readonly string[] = ["capturedPendingSettlement", "settledSuccessfully"];
const NOT_PAID: readonly string[] = ["voided", "settlementError"];
const GIVEN_BACK: readonly string[] = ["refundPendingSettlement", "refundSettledSuccessfully"];

/** Changes a transaction in ways that no request of a merchant can. Returns why it is not possible, or null. */
export function stageMishap(store: Store, now: Date, transaction: Transaction, mishap: Mishap): string | null {
  const { status } = transaction;
  switch (mishap) {
    case "chargeback":
      if (!SETTLED.includes(status)) return "Only a settled charge is charged back; it settles at 22:00 UTC.";
      changeStatus(store, transaction, { status: "chargeback" });
      return null;
    case "chargebackReversal":
      if (status !== "chargeback") return "Only a charge that was charged back is won again.";
      changeStatus(store, transaction, { status: "chargebackReversal" });
      return null;
    case "settlementError":
      if (![...TAKEN, ...GIVEN_BACK].includes(status)) return "Only an approved charge or a refund can fail to settle.";
      settleApart(store, now, transaction, { status: "settlementError" }, "settlementError");
      return null;
    case "settledAnyway":
      if (!NOT_PAID.includes(status) || transaction.type === "refundTransaction")
        return "Only a charge that was voided, or failed to settle, settles in spite of it.";
      settleApart(
        store,
        now,
        transaction,
        { status: "settledSuccessfully", settleCents: transaction.amountCents },
        "settledSuccessfully",
      );
      return null;
    case "missing":
      removeFromReports(store, transaction);
      return null;
  }
}

/** Settles a single transaction, in its batch or in a new one. */
function settleApart(
  store: Store,
  now: Date,
  transaction: Transaction,
  change: Partial<Transaction>,
  batchState: string,
): void {
  inTransaction(store, () => {
    const batchId = transaction.batchId ?? batchIdOf(openBatch(store, now.toISOString(), batchState));
    changeStatus(store, transaction, { ...change, batchId });
  });
}

/** Batches that were settled between the two instants, both included, oldest first. */
export function listBatches(store: Store, first: Date, last: Date): Batch[] {
  const query = "select * from batches where settledAt >= ? and settledAt <= ? order by settledAt, number";
  return listRows<BatchRow>(store, query, first.toISOString(), last.toISOString()).map(batchOf);
}

export function findBatch(store: Store, batchId: string): Batch | null {
  const row = findRow<BatchRow>(store, "select * from batches where number = ?", batchNumberOf(batchId));
  return row && batchOf(row);
}

/** The transaction after everything due has been settled. */
export function currentTransaction(store: Store, now: Date, transId: string): Transaction | null {
  settleDue(store, now);
  return findTransaction(store, transId);
}

function openBatch(store: Store, settledAt: string, state: string): number {
  return insertRow(store, "batches", { settledAt, state });
}

type BatchRow = Omit<Batch, "batchId"> & { readonly number: number };

function batchOf({ number, ...batch }: BatchRow): Batch {
  return { batchId: batchIdOf(number), ...batch };
}

/** The first settlement later than this instant. */
function cutoffAfter(store: Store, instant: Date): Date {
  const cutoff = new Date(instant);
  cutoff.setUTCHours(Number(readSetting(store, settlementHour) ?? SETTLES_AT_HOUR_UTC), 0, 0, 0);
  return cutoff > instant ? cutoff : new Date(cutoff.getTime() + DAY);
}
