import type pg from "pg";

const rounds = 3;

/** With what it sends when it connects, which may come from its address too. */
interface Client extends Pick<pg.PoolClient, "query" | "release"> {
  readonly connectionParameters: { readonly statement_timeout?: unknown };
}

/** Its code is what poolers themselves answer with. */
class PoolerFound extends Error {
  readonly code = "08P01";
}

/**
 * A pooler may run each transaction of a client over another connection to PostgreSQL, and drop the settings of the
 * client. The lock of migrations and the time limits would then apply to others, or to nobody. Takes no lock and sets
 * nothing.
 * @param pool for at least two connections
 * @throws PoolerFound
 */
export async function refusePooler(pool: { connect(): Promise<unknown> }): Promise<void> {
  const clients: Client[] = [];
  const connect = async () => {
    const client = (await pool.connect()) as Client;
    clients.push(client);
    return client;
  };
  let isDirect = false;
  try {
    const first = await connect();
    await requireSettings(first);
    await requireOwnConnections(first, await connect());
    isDirect = true;
  } finally {
    // Closed otherwise: one may be in a transaction.
    for (const client of clients) client.release(!isDirect);
  }
}

async function requireSettings(client: Client): Promise<void> {
  const asked = Number(client.connectionParameters.statement_timeout);
  if (!asked) return;
  const { rows } = await client.query("select setting from pg_settings where name = 'statement_timeout'");
  if (Number(rows[0]?.setting) !== Math.trunc(asked)) throw new PoolerFound("the time limits have no effect");
}

/** Several rounds, as other clients of a pooler take and return its connections meanwhile. */
async function requireOwnConnections(first: Client, second: Client): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const own = await processOf(first);
    // Some poolers refuse transactions.
    await second.query("begin");
    const other = await processOf(second);
    if (own === other) throw new PoolerFound("two clients share one connection to PostgreSQL");
    const isKept = (await processOf(first)) === own;
    await second.query("commit");
    // Also after the commit: with two connections in turn, the first client always got the one that was free.
    if (!isKept || (await processOf(second)) !== other)
      throw new PoolerFound("a client has several connections to PostgreSQL");
  }
}

async function processOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ it: number }>("select pg_backend_pid() as it");
  return rows[0]?.it ?? 0;
}
