import DataLoader from "dataloader";
import type { Db } from "./db.ts";

/** Statements of one kind that are under way at once. Calls that come meanwhile gather for the next. */
const mostUnderWay = 2;
const mostInGroup = 100;
/**
 * From the beginning of one statement of a kind to that of the next: a statement costs node and database
 * more than another key in it. At rest nobody waits.
 */
const apartMs = 4;

const groupsOf = new WeakMap<Db, Map<string, unknown>>();

/** One statement, begun after them, answers calls of about one time. An Error refuses its call; a thrown one, all. */
export function inGroups<Key, Result>(
  db: Db,
  name: string,
  answer: (db: Db, keys: readonly Key[]) => Promise<readonly (Result | Error)[]>,
): (key: Key) => Promise<Result> {
  const groups = groupsOf.get(db) ?? new Map<string, unknown>();
  groupsOf.set(db, groups);
  if (!groups.has(name))
    groups.set(
      name,
      openGroups((keys: readonly Key[]) => answer(db, keys)),
    );
  return groups.get(name) as (key: Key) => Promise<Result>;
}

function openGroups<Key, Result>(answer: (keys: readonly Key[]) => Promise<readonly (Result | Error)[]>) {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  let nextAt = 0;
  const loader = new DataLoader<Key, Result>(
    (keys) =>
      answer(keys).finally(() => {
        underWay -= 1;
        begin(waiting.shift());
      }),
    { cache: false, maxBatchSize: mostInGroup, batchScheduleFn: (send) => begin(send) },
  );

  function begin(send: (() => void) | undefined): void {
    if (!send) return;
    if (underWay === mostUnderWay) {
      waiting.push(send);
      return;
    }
    underWay += 1;
    const now = performance.now();
    const wait = nextAt - now;
    nextAt = Math.max(nextAt, now) + apartMs;
    if (wait > 0) setTimeout(send, wait);
    else setImmediate(send);
  }

  return (key: Key) => loader.load(key);
}
