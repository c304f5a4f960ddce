import type { PoolClient } from "pg";
import { until } from "#test/until.ts";

/** A transaction of a test that others wait for. */
interface Holder {
  readonly query: PoolClient["query"];
  /** Returns when so many connections wait for it, or for one that waits for it. */
  waiting(count: number): Promise<void>;
}

type Pool = Readonly<{ connect: () => Promise<PoolClient>; query: PoolClient["query"] }>;

/** Holds the locks that the statement takes until `work` ends, and then commits. */
export async function whileLocked(
  pool: Pool,
  statement: string,
  values: unknown[],
  work: (holder: Holder) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    const blocked = `with recursive blocked as (
        select pid from pg_stat_activity where ${rows[0]?.pid} = any(pg_blocking_pids(pid))
        union select one.pid from pg_stat_activity one join blocked on blocked.pid = any(pg_blocking_pids(one.pid)))
      select from blocked`;
    await client.query("begin");
    await client.query(statement, values);
    await work({
      query: client.query.bind(client) as PoolClient["query"],
      waiting: async (count) => {
        await until(async () => ((await pool.query(blocked)).rowCount ?? 0) >= count);
      },
    });
  } finally {
    await client.query("commit");
    client.release();
  }
}

/** Waits until a connection of this name to the same database waits for a lock, and returns its process. */
export function waitingAs(pool: Pool, name: string): Promise<number> {
  const waits = `select pid from pg_stat_activity
    where datname = current_database() and application_name = $1 and wait_event_type = 'Lock'`;
  return until(async () => (await pool.query<{ pid: number }>(waits, [name])).rows[0]?.pid);
}
