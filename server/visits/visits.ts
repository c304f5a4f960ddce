import { sql } from "drizzle-orm";
import type { Clock } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import type { VisitStep } from "./rules.ts";
import { visitCounts } from "./tables.ts";

export { leadsToCheckout, stepsOf, type VisitStep } from "./rules.ts";

/** Milliseconds between writes; a killed process loses the visits of this time. */
const writtenEvery = 5_000;

export interface Visits {
  /** Counts in memory, so that no request waits for the database. */
  count(step: VisitStep): void;
  /** Writes what is left, if the database answers. */
  close(): Promise<void>;
}

type Counted = typeof visitCounts.$inferInsert;

/** Counts the visits of this node and adds them to the table every few seconds. */
export function openVisits(db: Db, clock: Clock, onError: (error: unknown) => void): Visits {
  // At most 3 entries of about 200 bytes; while the database is away, 3 for each day.
  const counted = new Map<string, Counted>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  function add({ day, step, visits }: Counted): void {
    const key = `${day} ${step}`;
    counted.set(key, { day, step, visits: visits + (counted.get(key)?.visits ?? 0) });
    timer ??= setTimeout(write, writtenEvery).unref();
  }

  function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    // Sorted, so that two nodes that write at once cannot deadlock.
    const rows = [...counted.values()].toSorted((one, other) =>
      `${one.day} ${one.step}` < `${other.day} ${other.step}` ? -1 : 1,
    );
    counted.clear();
    if (rows.length > 0) {
      writing = writing
        .then(() => addVisits(db, rows))
        .catch((error) => {
          onError(error);
          for (const row of rows) add(row);
        });
    }
    return writing;
  }

  return {
    count: (step) => add({ day: clock.now().toISOString().slice(0, 10), step, visits: 1 }),
    async close() {
      await write();
      clearTimeout(timer);
    },
  };
}

export async function addVisits(db: Db, rows: readonly Counted[]): Promise<void> {
  await db
    .insert(visitCounts)
    .values([...rows])
    .onConflictDoUpdate({
      target: [visitCounts.day, visitCounts.step],
      set: { visits: sql`${visitCounts.visits} + excluded.visits` },
    });
}
