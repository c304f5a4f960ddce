import type { SQLOutputValue } from "node:sqlite";
import type { Store } from "../store.ts";

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

const withStatus = `
  select ledger.*, standings.status as status_now, standings.response_code as response_code_now,
    standings.reason_code as reason_code_now, standings.auth_code as auth_code_now,
    standings.network_trans_id as network_trans_id_now, standings.settle_cents, standings.since, standings.batch_number
  from ledger join standings on standings.transaction_number = ledger.number`;

/** Adds a row with the next transId. Ids are increasing numeric strings. */
export function appendToLedger(
  store: Store,
  entry: Omit<Transaction, "transId" | "since" | "batchId" | "settleCents">,
): Transaction {
  const { lastInsertRowid } = store
    .prepare(
      `insert into ledger (type, status, response_code, reason_code, amount_cents, invoice_number, description, ref_id,
        ref_trans_id, brand, last4, fingerprint, expiry, zip, avs, cvv, auth_code, network_trans_id,
        customer_profile_id, payment_profile_id, customer_id, customer_email, first_name, last_name, recurring,
        duplicate_key, at)
       values (:type, :status, :responseCode, :reasonCode, :amountCents, :invoiceNumber, :description, :refId,
        :refTransId, :brand, :last4, :fingerprint, :expiry, :zip, :avs, :cvv, :authCode, :networkTransId,
        :customerProfileId, :paymentProfileId, :customerId, :customerEmail, :firstName, :lastName, :recurring,
        :duplicateKey, :at)`,
    )
    .run({ ...entry, recurring: entry.recurring ? 1 : 0 });
  const transId = String(FIRST_TRANS_ID + Number(lastInsertRowid));
  const settleCents = ["1", "4"].includes(entry.responseCode) ? entry.amountCents : 0;
  const transaction = { ...entry, transId, settleCents, since: entry.at, batchId: null };
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
  store
    .prepare(
      `insert or replace into standings (transaction_number, status, response_code, reason_code, auth_code,
        network_trans_id, settle_cents, since, batch_number) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      numberOf(transId),
      status,
      responseCode,
      reasonCode,
      authCode,
      networkTransId,
      settleCents,
      since,
      transaction.batchId === null ? null : batchNumberOf(transaction.batchId),
    );
}

/** Removes a transaction from the gateway's reports, as if it had never existed; the row stays. */
export function removeFromReports(store: Store, { transId }: Transaction): void {
  store.prepare("delete from standings where transaction_number = ?").run(numberOf(transId));
}

/** The whole ledger, oldest first. */
export function listTransactions(store: Store): Transaction[] {
  return store.prepare(`${withStatus} order by number`).all().map(transactionOf);
}

export function findTransaction(store: Store, transId: string): Transaction | null {
  if (!/^\d{1,15}$/.test(transId)) return null;
  const row = store.prepare(`${withStatus} where number = ?`).get(numberOf(transId));
  return row ? transactionOf(row) : null;
}

/** A page of the transactions of a batch, or of unsettled ones. Ids and submit times have the same order. */
export function listPage(
  store: Store,
  asked: { batchId: string | null; descending: boolean; limit: number; offset: number },
): { rows: Transaction[]; total: number } {
  const batch = asked.batchId === null ? null : batchNumberOf(asked.batchId);
  const where = "where standings.batch_number is ?";
  const order = `order by number ${asked.descending ? "desc" : "asc"} limit ? offset ?`;
  const rows = store.prepare(`${withStatus} ${where} ${order}`).all(batch, asked.limit, asked.offset);
  const count = store.prepare(`select count(*) as total from standings ${where}`).get(batch);
  return { rows: rows.map(transactionOf), total: Number(count?.total) };
}

/** Refunds of this transaction that were approved and not voided. */
export function listRefunds(store: Store, transId: string): Transaction[] {
  const rows = store.prepare(`${withStatus} where ref_trans_id = ? and type = 'refundTransaction'`).all(transId);
  return rows.map(transactionOf).filter(({ status }) => status.startsWith("refund"));
}

/**
 * The approved or held transaction of the same request since then, or null. The documentation does not say whether
 * declined ones count too. Here they do not (UNSURE).
 */
export function findDuplicate(store: Store, duplicateKey: string, since: Date): Transaction | null {
  const row = store
    .prepare(
      `${withStatus} where duplicate_key = ? and at > ? and ledger.response_code in ('1', '4') order by number limit 1`,
    )
    .get(duplicateKey, since.toISOString());
  return row ? transactionOf(row) : null;
}

export function batchIdOf(batchNumber: number): string {
  return String(FIRST_BATCH_ID + batchNumber);
}

/** The number of a batch, or an unused number for any other text. */
export function batchNumberOf(batchId: string): number {
  return /^\d{1,15}$/.test(batchId) ? Number(batchId) - FIRST_BATCH_ID : 0;
}

function numberOf(transId: string): number {
  return Number(transId) - FIRST_TRANS_ID;
}

function transactionOf(row: Record<string, SQLOutputValue>): Transaction {
  const text = (value: SQLOutputValue | undefined) => (value === null || value === undefined ? null : String(value));
  return {
    transId: String(FIRST_TRANS_ID + Number(row.number)),
    type: String(row.type),
    status: String(row.status_now),
    responseCode: String(row.response_code_now),
    reasonCode: String(row.reason_code_now),
    amountCents: Number(row.amount_cents),
    settleCents: Number(row.settle_cents),
    invoiceNumber: text(row.invoice_number),
    description: text(row.description),
    refId: text(row.ref_id),
    refTransId: text(row.ref_trans_id),
    brand: String(row.brand),
    last4: String(row.last4),
    fingerprint: String(row.fingerprint),
    expiry: String(row.expiry),
    zip: text(row.zip),
    avs: String(row.avs),
    cvv: String(row.cvv),
    authCode: String(row.auth_code_now),
    networkTransId: text(row.network_trans_id_now),
    customerProfileId: text(row.customer_profile_id),
    paymentProfileId: text(row.payment_profile_id),
    customerId: text(row.customer_id),
    customerEmail: text(row.customer_email),
    firstName: text(row.first_name),
    lastName: text(row.last_name),
    recurring: row.recurring === 1,
    duplicateKey: String(row.duplicate_key),
    at: String(row.at),
    since: String(row.since),
    batchId: row.batch_number === null ? null : batchIdOf(Number(row.batch_number)),
  };
}
