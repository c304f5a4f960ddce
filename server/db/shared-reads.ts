import pg from "pg";

/** Enough for one process; the second one answers while the first is busy with something longer. */
const size = 2;

interface Connection {
  readonly client: pg.Client;
  /** Reads that were sent and not answered. */
  waiting: number;
  /** What is asked now leaves together, with one call of the system, when this turn of the event loop ends. */
  isCollecting: boolean;
}

/**
 * Connections for reads that many requests make at the same time: each is asked without waiting for the answers before
 * it, which spares both sides most of what taking turns costs. Only for short reads outside transactions: they wait for
 * no lock, and whoever comes behind a long one waits for it. A connection is opened when it is needed; one that is lost
 * fails what was asked of it and is replaced at the next read.
 */
export class SharedReads {
  private readonly config: pg.ClientConfig;
  private readonly onError: (error: Error) => void;
  private readonly connections = new Set<Connection>();

  constructor(config: pg.ClientConfig, onError: (error: Error) => void) {
    this.config = { ...config, pipeline: true };
    this.onError = onError;
  }

  /** As a pool's: drizzle asks through it. */
  async query(config: pg.QueryConfig, values: unknown[]): Promise<pg.QueryResult> {
    const connection = this.leastBusy();
    connection.waiting += 1;
    collect(connection);
    try {
      return await connection.client.query(config, values);
    } catch (error) {
      // Anything but the statement's own failure is the connection's: it may take a moment until it is seen to end.
      if (!isOfStatement(error)) this.retire(connection);
      throw error;
    } finally {
      connection.waiting -= 1;
    }
  }

  /** Closes the connections when everything that was asked is answered. */
  async end(): Promise<void> {
    await Promise.all([...this.connections].map(({ client }) => client.end()));
  }

  private leastBusy(): Connection {
    let least: Connection | undefined;
    for (const connection of this.connections) {
      if (!least || connection.waiting < least.waiting) least = connection;
    }
    return least && (least.waiting === 0 || this.connections.size === size) ? least : this.open();
  }

  private open(): Connection {
    const connection = { client: new pg.Client(this.config), waiting: 0, isCollecting: false };
    connection.client
      .on("end", () => this.connections.delete(connection))
      .on("error", (error) => {
        this.retire(connection);
        this.onError(error);
      });
    this.connections.add(connection);
    // What was asked meanwhile fails by itself.
    connection.client.connect().catch(() => this.retire(connection));
    return connection;
  }

  /** Asks nothing more of a connection, which ends when it has answered what it can. */
  private retire(connection: Connection): void {
    if (this.connections.delete(connection)) void connection.client.end();
  }
}

/** What was sent behind a statement that could not be prepared, and counts on it, fails by no fault of its own. */
function isOfStatement(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === "ERROR" && error.code !== preparedStatementMissing;
}

const preparedStatementMissing = "26000";

function collect(connection: Connection): void {
  if (connection.isCollecting) return;
  connection.isCollecting = true;
  const { stream } = connection.client.connection;
  stream.cork();
  setImmediate(() => {
    connection.isCollecting = false;
    stream.uncork();
  });
}
