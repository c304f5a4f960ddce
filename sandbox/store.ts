import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export type Store = DatabaseSync;

/**
 * Opens the sandbox's database file, made if absent. Each commit is synced, so that it survives kill -9 and power
 * loss.
 * @throws Error with a sentence when another process has it open
 */
export function openStore(dataDir: string): Store {
  mkdirSync(dataDir, { recursive: true });
  const store = new DatabaseSync(join(dataDir, "sandbox.sqlite"), { timeout: 2000 });
  try {
    // Takes the exclusive lock now, which the kernel releases when this process ends.
    store.exec("pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full");
    store.exec("begin exclusive");
    const { user_version: done } = store.prepare("pragma user_version").get() as { user_version: number };
    for (const step of steps.slice(done)) store.exec(step);
    store.exec(`pragma user_version = ${steps.length}; commit`);
  } catch (error) {
    store.close();
    if (error instanceof Error && /locked|busy/.test(error.message)) {
      throw new Error(`Another sandbox is using ${dataDir}. Two of them need two folders.`);
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

const firstTables = `
create table if not exists settings (name text primary key, value text not null);

create table if not exists ledger (
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
create index if not exists ledger_by_duplicate_key on ledger (duplicate_key);
create trigger if not exists ledger_rows_stay_as_they_are before update on ledger
begin select raise(abort, 'the ledger is append-only'); end;
create trigger if not exists ledger_rows_stay before delete on ledger
begin select raise(abort, 'the ledger is append-only'); end;

create table if not exists tokens (
  digest text primary key,
  brand text not null,
  last4 text not null,
  expiry text not null,
  zip text,
  cvv text not null,
  made_at text not null,
  spent_at text
);

create table if not exists profiles (
  customer_profile_id text primary key,
  payment_profile_id text not null,
  customer_id text,
  customer_email text,
  brand text not null,
  last4 text not null,
  expiry text not null,
  zip text,
  made_at text not null,
  unique (customer_id, customer_email)
);

create table if not exists outcomes (number integer primary key autoincrement, outcome text not null);

create table if not exists mails (
  number integer primary key autoincrement,
  recipient text not null,
  sender text not null,
  subject text not null,
  text text not null,
  html text not null,
  at text not null
);`;

/** The ledger records what happened. The status is the current state: settled, voided, charged back. */
const settlementAndCustomers = `
alter table tokens add column fingerprint text not null default '';
alter table ledger add column fingerprint text not null default '';
alter table ledger add column expiry text not null default '';
alter table ledger add column zip text;

create table batches (number integer primary key autoincrement, settled_at text not null, state text not null);

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
create index ledger_by_ref_trans_id on ledger (ref_trans_id);
insert into standings
  select number, status, response_code, reason_code, auth_code, network_trans_id, amount_cents, at, null from ledger;

create table customers (
  number integer primary key autoincrement,
  merchant_customer_id text not null,
  description text not null,
  email text not null,
  made_at text not null,
  unique (merchant_customer_id, description, email)
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
  address text,
  is_default integer not null,
  made_at text not null
);
create index payment_profiles_of_customer on payment_profiles (customer_number);
insert into sqlite_sequence (name, seq) values ('customers', 900000000), ('payment_profiles', 1800000000);
insert into customers
  select cast(customer_profile_id as integer), customer_id, '', customer_email, made_at from profiles;
insert into payment_profiles
  select cast(payment_profile_id as integer), cast(customer_profile_id as integer), brand, last4, expiry, '', zip,
    null, null, null, 0, made_at from profiles;
drop table profiles;`;

/** Mails with the same Message-ID are one mail. */
const oneMailPerId = `
alter table mails add column message_id text;
create unique index mails_message_id on mails (message_id);
`;

/** Null applies to the next charge of any customer. */
const outcomesOfCustomers = "alter table outcomes add column customer_email text;";

/** The iCalendar part of a mail. */
const calendarsOfMails = "alter table mails add column calendar text;";

/** Migrations. Each file records how many it has applied; a released one never changes. */
const steps: readonly string[] = [
  firstTables,
  settlementAndCustomers,
  oneMailPerId,
  outcomesOfCustomers,
  calendarsOfMails,
];
