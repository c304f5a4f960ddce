import type pg from "pg";
import { OperatorError } from "#server/base/operator-error.ts";

/** The most connections that one process opens for each use, besides the one of its probe. */
export interface PoolSizes {
  readonly main: number;
  /** Reserved, so that payments get a connection while other requests wait. */
  readonly payments: number;
  readonly reads: number;
}

export const wholePools: PoolSizes = { main: 10, payments: 4, reads: 4 };

const probe = 1;
const whole = wholePools.main + wholePools.payments + wholePools.reads + probe;
const least = 8;
/** Left for migrations at a start, a backup, and an operator's commands. */
const spare = 6;

interface ConnectionLimit {
  /** The most that the database lets this role open. */
  readonly max: number;
  /** No other node uses the database, also not during a rollout. */
  readonly isOwn: boolean;
}

/** The pool sizes of each worker, or how many workers would fit when these do not. @internal */
export function divideConnections(limit: ConnectionLimit, workers: number): PoolSizes | { readonly fitting: number } {
  const together = (limit.isOwn ? limit.max : Math.floor(limit.max / 2)) - spare;
  const each = Math.min(whole, Math.floor(together / workers));
  if (each < least) return { fitting: Math.max(1, Math.floor(together / least)) };
  const payments = each === whole ? wholePools.payments : each >= 12 ? 3 : 2;
  return { main: each - 2 * payments - probe, payments, reads: payments };
}

/** The lowest of the limits of server, database and role. */
async function readMaxConnections(client: Pick<pg.ClientBase, "query">): Promise<number> {
  const { rows } = await client.query<{ max: number }>(`
    select least(
      current_setting('max_connections')::int - case when rolsuper then 0 else
        current_setting('superuser_reserved_connections')::int
        + coalesce(current_setting('reserved_connections', true), '0')::int end,
      nullif(rolconnlimit, -1),
      nullif(datconnlimit, -1)
    ) as max
    from pg_roles, pg_database where rolname = current_user and datname = current_database()`);
  return rows[0]?.max ?? 0;
}

/** @throws OperatorError when the database has too few connections for the workers */
export async function sizePools(
  client: Pick<pg.ClientBase, "query">,
  { isOwn, workers }: { readonly isOwn: boolean; readonly workers: number },
): Promise<PoolSizes> {
  const max = await readMaxConnections(client);
  const sizes = divideConnections({ max, isOwn }, workers);
  if (!("fitting" in sizes)) return sizes;
  throw new OperatorError(
    `WORKERS=${workers} does not fit: the database allows ${max} connections, enough for ${sizes.fitting} on this node.` +
      (isOwn ? "" : " Lower it, or raise max_connections: a node takes half of them at most."),
  );
}
