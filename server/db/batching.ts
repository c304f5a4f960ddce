import DataLoader from "dataloader";
import type { Db } from "./db.ts";

/** Statements of one name in flight at once. Calls that arrive meanwhile wait for the next batch. */
const maxInFlight = 2;
const maxBatchSize = 100;
/**
 * Between the starts of two statements of one name; an idle batcher starts at once. Without it a heartbeat, at 1,000 a
 * second, takes 1.2 ms of node's and database's processors instead of 0.7.
 */
const intervalMs = 4;

/** At most one entry for each pool and each transaction in memory, with 4 names and about 4 kB. */
const batchersOf = new WeakMap<Db, Map<string, unknown>>();

/** Answers calls that arrive together by one statement, which begins after all of them. `answer` returns an Error to fail one call, and throws to fail the batch. */
export function batched<Key, Result>(
  db: Db,
  name: string,
  answer: (db: Db, keys: readonly Key[]) => Promise<readonly (Result | Error)[]>,
): (key: Key) => Promise<Result> {
  const batchers = batchersOf.get(db) ?? new Map<string, unknown>();
  batchersOf.set(db, batchers);
  if (!batchers.has(name))
    batchers.set(
      name,
      openBatcher((keys: readonly Key[]) => answer(db, keys)),
    );
  return batchers.get(name) as (key: Key) => Promise<Result>;
}

function openBatcher<Key, Result>(answer: (keys: readonly Key[]) => Promise<readonly (Result | Error)[]>) {
  // At most a hundredth of the requests in flight, 20 entries of about 100 bytes.
  const waiting: (() => void)[] = [];
  let inFlight = 0;
  let nextAt = 0;
  const loader = new DataLoader<Key, Result>(
    (keys) =>
      answer(keys).finally(() => {
        inFlight -= 1;
        begin(waiting.shift());
      }),
    { cache: false, maxBatchSize, batchScheduleFn: (send) => begin(send) },
  );

  function begin(send: (() => void) | undefined): void {
    if (!send) return;
    if (inFlight === maxInFlight) {
      waiting.push(send);
      return;
    }
    inFlight += 1;
    const now = performance.now();
    const wait = nextAt - now;
    nextAt = Math.max(nextAt, now) + intervalMs;
    if (wait > 0) setTimeout(send, wait);
    else setImmediate(send);
  }

  return (key: Key) => loader.load(key);
}
