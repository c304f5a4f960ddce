import { findRow, inTransaction, listRows, type Store } from "../store.ts";

export const OUTCOME_NAMES = [
  "approve",
  "decline",
  "decline-hard",
  "hold",
  "error-500",
  "timeout-before",
  "timeout-after",
  "reset-after",
  "malformed-after",
  // A prepaid card covers only $1.23, and the reply is an approval.
  "partial",
] as const;

/**
 * The outcome of one of the next charges, refunds or voids, set from outside, because the real gateway has no triggers
 * for most of them. Voids are never held.
 */
export type Outcome =
  | (typeof OUTCOME_NAMES)[number]
  | `slow:${number}`
  /** Declined for this reason with response code 2. */
  | `decline:${number}`
  /** Refused for this reason with response code 3; the gateway has no transaction. */
  | `error:${number}`
  /** The same with response code 1: an error that looks like an approval. */
  | `error-as-approved:${number}`;

/** Outcomes with a reason code, each with an example. */
export const NUMBERED_OUTCOMES: readonly string[] = ["decline:205", "error:205", "error-as-approved:2"];

export const MAX_DELAY_MS = 120_000;

export function isOutcome(text: unknown): text is Outcome {
  if (typeof text !== "string") return false;
  const slow = /^slow:(\d{1,6})$/.exec(text);
  if (slow) return Number(slow[1]) <= MAX_DELAY_MS;
  return (OUTCOME_NAMES as readonly string[]).includes(text) || numbered.test(text);
}

const numbered = /^(decline|error|error-as-approved):([1-9]\d{0,2})$/;

export function declineReasonOf(outcome: Outcome | null): string | null {
  if (outcome === "decline") return "2";
  if (outcome === "decline-hard") return "4";
  const [, name, reason] = numbered.exec(outcome ?? "") ?? [];
  return name === "decline" ? (reason ?? null) : null;
}

/** The refusal of an outcome without a transaction, or null. */
export function refusalOf(outcome: Outcome | null): { reasonCode: string; responseCode: "1" | "3" } | null {
  const [, name, reasonCode] = numbered.exec(outcome ?? "") ?? [];
  if (name === undefined || name === "decline" || reasonCode === undefined) return null;
  return { reasonCode, responseCode: name === "error" ? "3" : "1" };
}

/** A customer's staged outcomes in order. Null: those for any customer. */
export function listOutcomes(store: Store, customerEmail: string | null = null): Outcome[] {
  const key = keyOf(customerEmail);
  return listAllOutcomes(store).flatMap((staged) => (staged.customerEmail === key ? staged.outcome : []));
}

/** All staged outcomes with their customers. */
export function listAllOutcomes(store: Store): { outcome: Outcome; customerEmail: string | null }[] {
  return listRows(store, "select outcome, customerEmail from outcomes order by number");
}

/** Stages the outcomes of a customer's next charges (null: of any customer), and replaces earlier ones. */
export function keepOutcomes(store: Store, outcomes: readonly Outcome[], customerEmail: string | null = null): void {
  const key = keyOf(customerEmail);
  inTransaction(store, () => {
    store.prepare("delete from outcomes where customerEmail is ?").run(key);
    const insert = store.prepare("insert into outcomes (outcome, customerEmail) values (?, ?)");
    for (const outcome of outcomes) insert.run(outcome, key);
  });
}

export function forgetOutcomes(store: Store): void {
  store.exec("delete from outcomes");
}

/** Takes the outcome of an incoming charge, the customer's own first. Null: the card's data decide. */
export function takeOutcome(store: Store, customerEmail: string | null): Outcome | null {
  const query = `delete from outcomes where number = (
      select number from outcomes where customerEmail is null or customerEmail = ?
      order by customerEmail is null, number limit 1
    ) returning outcome`;
  return findRow<{ outcome: Outcome }>(store, query, keyOf(customerEmail))?.outcome ?? null;
}

function keyOf(customerEmail: string | null): string | null {
  return customerEmail?.toLowerCase() ?? null;
}
