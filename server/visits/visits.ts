import { sql } from "drizzle-orm";
import { type Clock, MINUTE } from "#server/base/clock.ts";
import { dateIn } from "#server/base/dates.ts";
import type { Db } from "#server/db/db.ts";
import type { VisitStep } from "./rules.ts";
import { visitCounts } from "./tables.ts";

export { leadsToCheckout, stepsOf, type VisitStep } from "./rules.ts";

/** Milliseconds between writes; a killed process loses the visits of this time. */
const writtenEvery = 5_000;
const quarter = 15 * MINUTE;

export interface Visits {
  /** Counts in memory, so that no request waits for the database. */
  count(step: VisitStep): void;
  /** Writes what is left, if the database answers. */
  close(): Promise<void>;
}

interface Counted {
  /** The quarter of an hour: days begin with one in all time zones. */
  readonly at: number;
  readonly step: VisitStep;
  readonly visits: number;
}

/** Counts the visits of this node and adds them to the table every few seconds, by the days of the academy's zone. */
export function openVisits(
  db: Db,
  clock: Clock,
  findZone: () => Promise<string>,
  onError: (error: unknown) => void,
): Visits {
  // At most 6 entries of about 200 bytes; while the database is away, 3 for each quarter of an hour.
  const counted = new Map<string, Counted>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  function add({ at, step, visits }: Counted): void {
    const key = `${at} ${step}`;
    counted.set(key, { at, step, visits: visits + (counted.get(key)?.visits ?? 0) });
    timer ??= setTimeout(write, writtenEvery).unref();
  }

  function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const rows = [...counted.values()];
    counted.clear();
    if (rows.length > 0) {
      writing = writing
        .then(async () => addVisits(db, rowsOf(rows, await findZone())))
        .catch((error) => {
          onError(error);
          for (const row of rows) add(row);
        });
    }
    return writing;
  }

  return {
    count: (step) => add({ at: Math.floor(clock.now().getTime() / quarter) * quarter, step, visits: 1 }),
    async close() {
      await write();
      clearTimeout(timer);
    },
  };
}

type Row = typeof visitCounts.$inferInsert;

/** Sums the counts by the academy's days, sorted, so that two nodes that write at once cannot deadlock. */
function rowsOf(counted: readonly Counted[], timeZone: string): Row[] {
  const ofKey = Map.groupBy(counted, ({ at, step }) => `${dateIn(timeZone, new Date(at))} ${step}`);
  return [...ofKey]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, counts]) => {
      const [day = "", step] = key.split(" ") as [string, VisitStep];
      return { day, step, visits: counts.reduce((sum, { visits }) => sum + visits, 0) };
    });
}

export async function addVisits(db: Db, rows: readonly Row[]): Promise<void> {
  await db
    .insert(visitCounts)
    .values([...rows])
    .onConflictDoUpdate({
      target: [visitCounts.day, visitCounts.step],
      set: { visits: sql`${visitCounts.visits} + excluded.visits` },
    });
}
