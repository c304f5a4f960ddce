import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
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

/** Runs the function in one transaction. */
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

export function readSetting(store: Store, name: string): string | null {
  const row = store.prepare("select value from settings where name = ?").get(name);
  return row ? String(row.value) : null;
}

export function keepSetting(store: Store, name: string, value: string): void {
  store
    .prepare("insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value")
    .run(name, value);
}

/** Changes with the tables. A file of another version is refused: it belongs to a demo, and a new one is seeded. */
const version = 6;

const tables = `
create table settings (name text primary key, value text not null);

create table ledger (
  number integer primary key autoincrement,
  type text not null,
  status text not null,
  response_code text not null,
  reason_code text not null,
  amount_cents integer not null,
  invoice_number text,
  description text,
  ref_id text,
  ref_trans_id text,
  brand text not null,
  last4 text not null,
  fingerprint text not null,
  expiry text not null,
  zip text,
  avs text not null,
  cvv text not null,
  auth_code text not null,
  network_trans_id text,
  customer_profile_id text,
  payment_profile_id text,
  customer_id text,
  customer_email text,
  first_name text,
  last_name text,
  recurring integer not null,
  duplicate_key text not null,
  at text not null
);
create index ledger_by_duplicate_key on ledger (duplicate_key);
create index ledger_by_ref_trans_id on ledger (ref_trans_id);
create trigger ledger_rows_stay_as_they_are before update on ledger
begin select raise(abort, 'the ledger is append-only'); end;
create trigger ledger_rows_stay before delete on ledger
begin select raise(abort, 'the ledger is append-only'); end;

create table batches (number integer primary key autoincrement, settled_at text not null, state text not null);

-- The ledger records what happened. This is the current state: settled, voided, charged back.
create table standings (
  transaction_number integer primary key references ledger (number),
  status text not null,
  response_code text not null,
  reason_code text not null,
  auth_code text not null,
  network_trans_id text,
  settle_cents integer not null,
  since text not null,
  batch_number integer references batches (number)
);
create index standings_of_batch on standings (batch_number, transaction_number);
create index standings_without_batch on standings (since) where batch_number is null;

create table tokens (
  digest text primary key,
  brand text not null,
  last4 text not null,
  fingerprint text not null,
  expiry text not null,
  zip text,
  cvv text not null,
  made_at text not null,
  spent_at text
);

create table customers (
  number integer primary key autoincrement,
  merchant_customer_id text not null,
  email text not null,
  made_at text not null,
  unique (merchant_customer_id, email)
);
create table payment_profiles (
  number integer primary key autoincrement,
  customer_number integer not null references customers (number) on delete cascade,
  brand text not null,
  last4 text not null,
  expiry text not null,
  fingerprint text not null,
  zip text,
  first_name text,
  last_name text,
  is_default integer not null,
  made_at text not null
);
create index payment_profiles_of_customer on payment_profiles (customer_number);
insert into sqlite_sequence (name, seq) values ('customers', 900000000), ('payment_profiles', 1800000000);

-- Without a customer, for the next charge of any.
create table outcomes (number integer primary key autoincrement, outcome text not null, customer_email text);

-- Mails with the same Message-ID are one mail.
create table mails (
  number integer primary key autoincrement,
  message_id text unique,
  recipient text not null,
  sender text not null,
  subject text not null,
  text text not null,
  html text not null,
  calendar text,
  at text not null
);`;
