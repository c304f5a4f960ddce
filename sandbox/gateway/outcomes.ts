import { inTransaction, type Store } from "../store.ts";

/**
 * What happens to one of the next charges, refunds or voids, set from outside: the real gateway has no trigger for most
 * of these. Only a charge is held.
 */
export type Outcome =
  | "approve"
  | "decline"
  | "decline-hard"
  | "hold"
  | "error-500"
  | "timeout-before"
  | "timeout-after"
  | "reset-after"
  | "malformed-after"
  | `slow:${number}`;

export const OUTCOME_NAMES: readonly string[] = [
  "approve",
  "decline",
  "decline-hard",
  "hold",
  "error-500",
  "timeout-before",
  "timeout-after",
  "reset-after",
  "malformed-after",
];

export const LONGEST_MS = 120_000;

export function isOutcome(text: unknown): text is Outcome {
  if (typeof text !== "string") return false;
  const slow = /^slow:(\d{1,6})$/.exec(text);
  return slow ? Number(slow[1]) <= LONGEST_MS : OUTCOME_NAMES.includes(text);
}

/** What awaits the next charges, in order. */
export function listOutcomes(store: Store): Outcome[] {
  const rows = store.prepare("select outcome from outcomes order by number").all();
  return rows.map((row) => row.outcome as Outcome);
}

/** Says what happens to the next charges, in place of what was said before. */
export function keepOutcomes(store: Store, outcomes: readonly Outcome[]): void {
  inTransaction(store, () => {
    store.exec("delete from outcomes");
    const insert = store.prepare("insert into outcomes (outcome) values (?)");
    for (const outcome of outcomes) insert.run(outcome);
  });
}

/** The outcome for the charge that has just arrived; null: whatever the card's own data says. */
export function takeOutcome(store: Store): Outcome | null {
  const row = store
    .prepare("delete from outcomes where number = (select min(number) from outcomes) returning outcome")
    .get();
  return row ? (row.outcome as Outcome) : null;
}
