import { findRow, insertRow, listRows, type Store } from "../store.ts";

/** A transaction with its current status. A refund is another transaction; a void is a status. */
export interface Transaction extends TransactionStatus {
  readonly transId: string;
  readonly type: string;
  readonly amountCents: number;
  readonly invoiceNumber: string | null;
  readonly description: string | null;
  readonly refId: string | null;
  readonly refTransId: string | null;
  readonly brand: string;
  readonly last4: string;
  readonly fingerprint: string;
  /** "YYYY-MM" */
  readonly expiry: string;
  readonly zip: string | null;
  readonly avs: string;
  readonly cvv: string;
  readonly customerProfileId: string | null;
  readonly paymentProfileId: string | null;
  readonly customerId: string | null;
  readonly customerEmail: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly recurring: boolean;
  /** Equal for requests that the gateway takes for duplicates. */
  readonly duplicateKey: string;
  readonly at: string;
}

/** The part that later events change. */
export interface TransactionStatus {
  /** The gateway's transactionStatus. */
  readonly status: string;
  readonly responseCode: string;
  readonly reasonCode: string;
  readonly authCode: string;
  readonly networkTransId: string | null;
  readonly settleCents: number;
  /** When it began to wait for settlement. */
  readonly since: string;
  /** Null until settlement. */
  readonly batchId: string | null;
}

const FIRST_TRANS_ID = 60_200_000_000;
const FIRST_BATCH_ID = 12_300_000;

const withStatus = "select * from ledger join standings using (number)";

type Row = Omit<Transaction, "transId" | "batchId" | "recurring"> & {
  readonly number: number;
  readonly batchNumber: number | null;
  readonly recurring: 0 | 1;
};

/** Adds a row with the next transId. Ids are increasing numeric strings. */
export function appendToLedger(
  store: Store,
  entry: Omit<Transaction, "transId" | "since" | "batchId" | "settleCents">,
): Transaction {
  const {
    status: _status,
    responseCode,
    reasonCode: _reason,
    authCode: _auth,
    networkTransId: _network,
    ...asked
  } = entry;
  const isTaken = ["1", "4"].includes(responseCode);
  const duplicateKey = isTaken ? entry.duplicateKey : "";
  const number = insertRow(store, "ledger", { ...asked, duplicateKey, recurring: Number(entry.recurring) });
  const settleCents = isTaken ? entry.amountCents : 0;
  const transaction = { ...entry, transId: transIdOf(number), settleCents, since: entry.at, batchId: null };
  writeStatus(store, transaction);
  return transaction;
}

/** Changes the named fields of a transaction's status. */
export function changeStatus(store: Store, transaction: Transaction, change: Partial<TransactionStatus>): Transaction {
  const changed = { ...transaction, ...change };
  writeStatus(store, changed);
  return changed;
}

function writeStatus(store: Store, transaction: Transaction): void {
  const { transId, status, responseCode, reasonCode, authCode, networkTransId, settleCents, since } = transaction;
  const batchNumber = transaction.batchId === null ? null : batchNumberOf(transaction.batchId);
  const verdict = { status, responseCode, reasonCode, authCode, networkTransId, settleCents };
  insertRow(store, "standings", { number: numberOf(transId), ...verdict, since, batchNumber }, "replace");
}

/** Removes a transaction from the gateway's reports, as if it had never existed; the row stays. */
export function removeFromReports(store: Store, { transId }: Transaction): void {
  store.prepare("delete from standings where number = ?").run(numberOf(transId));
}

/** The whole ledger, oldest first. */
export function listTransactions(store: Store): Transaction[] {
  return listRows<Row>(store, `${withStatus} order by number`).map(transactionOf);
}

export function findTransaction(store: Store, transId: string): Transaction | null {
  if (!/^\d{1,15}$/.test(transId)) return null;
  const row = findRow<Row>(store, `${withStatus} where number = ?`, numberOf(transId));
  return row ? transactionOf(row) : null;
}

/** A page of the transactions of a batch, or of unsettled ones. Ids and submit times have the same order. */
export function listPage(
  store: Store,
  asked: { batchId: string | null; descending: boolean; limit: number; offset: number },
): { rows: Transaction[]; total: number } {
  const batch = asked.batchId === null ? null : batchNumberOf(asked.batchId);
  const where = "where batchNumber is ?";
  const order = `order by number ${asked.descending ? "desc" : "asc"} limit ? offset ?`;
  const rows = listRows<Row>(store, `${withStatus} ${where} ${order}`, batch, asked.limit, asked.offset);
  const count = findRow<{ total: number }>(store, `select count(*) as total from standings ${where}`, batch);
  return { rows: rows.map(transactionOf), total: count?.total ?? 0 };
}

/** Refunds of this transaction that were approved and not voided. */
export function listRefunds(store: Store, transId: string): Transaction[] {
  const rows = listRows<Row>(store, `${withStatus} where refTransId = ? and type = 'refundTransaction'`, transId);
  return rows.map(transactionOf).filter(({ status }) => status.startsWith("refund"));
}

/**
 * The approved or held transaction of the same request since then, or null. The documentation does not say whether
 * declined ones count too. Here they do not (UNSURE).
 */
export function findDuplicate(store: Store, duplicateKey: string, since: Date): Transaction | null {
  const query = `${withStatus} where duplicateKey = ? and at > ? order by number limit 1`;
  const row = findRow<Row>(store, query, duplicateKey, since.toISOString());
  return row ? transactionOf(row) : null;
}

export function batchIdOf(batchNumber: number): string {
  return String(FIRST_BATCH_ID + batchNumber);
}

/** The number of a batch, or an unused number for any other text. */
export function batchNumberOf(batchId: string): number {
  return /^\d{1,15}$/.test(batchId) ? Number(batchId) - FIRST_BATCH_ID : 0;
}

function transIdOf(number: number): string {
  return String(FIRST_TRANS_ID + number);
}

function numberOf(transId: string): number {
  return Number(transId) - FIRST_TRANS_ID;
}

function transactionOf({ number, batchNumber, recurring, ...row }: Row): Transaction {
  const batchId = batchNumber === null ? null : batchIdOf(batchNumber);
  return { ...row, transId: transIdOf(number), batchId, recurring: recurring === 1 };
}
