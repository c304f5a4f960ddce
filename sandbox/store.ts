import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { OperatorError } from "#server/base/operator-error.ts";

export type Store = DatabaseSync;

/**
 * Opens the sandbox's database file, made if absent. Each commit is synced, so that it survives kill -9 and power
 * loss.
 * @throws Error with a sentence when another process has it open, or its tables are of another release
 */
export function openStore(dataDir: string): Store {
  const store = lockStore(dataDir);
  const { user_version: found } = store.prepare("pragma user_version").get() as { user_version: number };
  if (found === version) return store;
  if (found === 0) {
    store.exec(`begin; ${tables} pragma user_version = ${version}; commit`);
    return store;
  }
  store.close();
  throw new OperatorError(`${dataDir} has the ledger of another release. Empty the demo: npm run db:reset.`);
}

/** @throws Error with a sentence when another process has it open */
export function lockStore(dataDir: string): Store {
  mkdirSync(dataDir, { recursive: true });
  const store = new DatabaseSync(join(dataDir, "sandbox.sqlite"), { timeout: 2000 });
  try {
    // Takes the exclusive lock now, which the kernel releases when this process ends.
    store.exec("pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full");
    store.exec("begin exclusive; commit");
  } catch (error) {
    store.close();
    if (error instanceof Error && /locked|busy/.test(error.message)) {
      throw new OperatorError(`Another sandbox is using ${dataDir}. Two of them need two folders.`);
    }
    throw error;
  }
  return store;
}

export function inTransaction<T>(store: Store, work: () => T): T {
  store.exec("begin immediate");
  try {
    const result = work();
    store.exec("commit");
    return result;
  } catch (error) {
    store.exec("rollback");
    throw error;
  }
}

/** `Row` has the columns that the query selects. */
export function listRows<Row>(store: Store, query: string, ...values: SQLInputValue[]): Row[] {
  return store.prepare(query).all(...values) as Row[];
}

export function findRow<Row>(store: Store, query: string, ...values: SQLInputValue[]): Row | null {
  return listRows<Row>(store, query, ...values)[0] ?? null;
}

/** Returns the number of the row. */
export function insertRow(
  store: Store,
  table: string,
  row: Readonly<Record<string, SQLInputValue>>,
  onConflict: "abort" | "ignore" | "replace" = "abort",
): number {
  const columns = Object.keys(row);
  const values = columns.map((column) => `:${column}`);
  const { lastInsertRowid } = store
    .prepare(`insert or ${onConflict} into ${table} (${columns.join(", ")}) values (${values.join(", ")})`)
    .run(row);
  return Number(lastInsertRowid);
}

export function readSetting(store: Store, name: string): string | null {
  return findRow<{ value: string }>(store, "select value from settings where name = ?", name)?.value ?? null;
}

export function keepSetting(store: Store, name: string, value: string): void {
  insertRow(store, "settings", { name, value }, "replace");
}

/** Changes with the tables. A file of another version is refused: it belongs to a demo, and a new one is seeded. */
const version = 7;

const tables = `
create table settings (name text primary key, value text not null);

create table ledger (
  number integer primary key autoincrement,
  type text not null,
  amountCents integer not null,
  invoiceNumber text,
  description text,
  refId text,
  refTransId text,
  brand text not null,
  last4 text not null,
  fingerprint text not null,
  expiry text not null,
  zip text,
  avs text not null,
  cvv text not null,
  customerProfileId text,
  paymentProfileId text,
  customerId text,
  customerEmail text,
  firstName text,
  lastName text,
  recurring integer not null,
  duplicateKey text not null,
  at text not null
);
create index ledgerByDuplicateKey on ledger (duplicateKey);
create index ledgerByRefTransId on ledger (refTransId);
create trigger ledgerRowsStayAsTheyAre before update on ledger
begin select raise(abort, 'the ledger is append-only'); end;
create trigger ledgerRowsStay before delete on ledger
begin select raise(abort, 'the ledger is append-only'); end;

create table batches (number integer primary key autoincrement, settledAt text not null, state text not null);

-- The ledger records what was asked for. This is what became of it: settled, voided, charged back.
create table standings (
  number integer primary key references ledger (number),
  status text not null,
  responseCode text not null,
  reasonCode text not null,
  authCode text not null,
  networkTransId text,
  settleCents integer not null,
  since text not null,
  batchNumber integer references batches (number)
);
create index standingsOfBatch on standings (batchNumber, number);
create index standingsWithoutBatch on standings (since) where batchNumber is null;

create table tokens (
  digest text primary key,
  brand text not null,
  last4 text not null,
  fingerprint text not null,
  expiry text not null,
  zip text,
  cvv text not null,
  madeAt text not null,
  spentAt text
);

create table customers (
  number integer primary key autoincrement,
  merchantCustomerId text not null,
  email text not null,
  madeAt text not null,
  unique (merchantCustomerId, email)
);
create table paymentProfiles (
  number integer primary key autoincrement,
  customerNumber integer not null references customers (number) on delete cascade,
  brand text not null,
  last4 text not null,
  expiry text not null,
  fingerprint text not null,
  zip text,
  firstName text,
  lastName text,
  isDefault integer not null,
  madeAt text not null
);
create index paymentProfilesOfCustomer on paymentProfiles (customerNumber);
insert into sqlite_sequence (name, seq) values ('customers', 900000000), ('paymentProfiles', 1800000000);

-- Without a customer, for the next charge of any.
create table outcomes (number integer primary key autoincrement, outcome text not null, customerEmail text);

-- Mails with the same Message-ID are one mail.
create table mails (
  number integer primary key autoincrement,
  messageId text unique,
  recipient text not null,
  sender text not null,
  subject text not null,
  text text not null,
  html text not null,
  calendar text,
  at text not null
);`;
