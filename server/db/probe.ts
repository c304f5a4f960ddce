import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { skewOf } from "./clock-skew.ts";
import type { Connection } from "./db.ts";

/** Checks the database over a connection that nothing else uses. */
export interface Probe {
  /** Answers within two seconds. Concurrent callers share one query. */
  answers(): Promise<boolean>;
  clockSkew(): number | null;
  close(): void;
}

const probeTimeout = 1500;

export function openProbe(connection: Connection): Probe {
  return new KeptConnection(connection);
}

class KeptConnection implements Probe {
  private readonly connection: Connection;
  private kept: pg.Client | null = null;
  private asking: Promise<boolean> | null = null;
  private skew: number | null = null;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  answers(): Promise<boolean> {
    this.asking ??= this.askInTime().finally(() => {
      this.asking = null;
    });
    return this.asking;
  }

  clockSkew(): number | null {
    return this.skew;
  }

  close(): void {
    if (this.kept) this.drop(this.kept);
  }

  private async askInTime(): Promise<boolean> {
    let isOver = false;
    const answered = await Promise.race([this.ask(() => isOver), delay(probeTimeout, false, { ref: false })]);
    isOver = true;
    if (!answered) this.close();
    return answered;
  }

  private async ask(isOver: () => boolean): Promise<boolean> {
    const before = this.kept;
    try {
      const client = before ?? (await this.connect());
      const sentAt = Date.now();
      const { rows } = await client.query("select extract(epoch from clock_timestamp()) * 1000 as now");
      this.skew = skewOf({ before: sentAt, after: Date.now(), database: Number(rows[0]?.now) });
      return true;
    } catch {
      this.close();
      // The connection may have died since the last probe, as at a restart of the database.
      return before !== null && !isOver() && this.ask(isOver);
    }
  }

  private async connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...this.connection, application_name: "academy readiness" });
    client.on("error", () => this.drop(client)).on("end", () => this.drop(client));
    this.kept = client;
    await client.connect();
    return client;
  }

  private drop(client: pg.Client): void {
    if (this.kept === client) this.kept = null;
    // Not `end`, which waits for an answer of a server that may be silent.
    client.connection.stream.destroy();
  }
}
