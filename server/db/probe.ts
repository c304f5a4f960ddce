import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { skewOf } from "./clock-skew.ts";
import type { Connection } from "./db.ts";

/** A connection that asks nothing but whether the database answers, and that no other work can keep busy. */
export interface Probe {
  /** Within two seconds, whatever the database does. All who ask while it is being asked get the same answer. */
  answers(): Promise<boolean>;
  /** By the last answer: as `findClockSkew`. */
  clockSkew(): number | null;
  close(): void;
}

/** In milliseconds. */
const patience = 1500;

export function openProbe(connection: Connection): Probe {
  let kept: pg.Client | null = null;
  let asking: Promise<boolean> | null = null;
  let skew: number | null = null;

  function drop(client: pg.Client): void {
    if (kept === client) kept = null;
    // Not `end`: that waits for a server which may say nothing any more.
    client.connection.stream.destroy();
  }

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...connection, application_name: "academy readiness" });
    client.on("error", () => drop(client)).on("end", () => drop(client));
    kept = client;
    await client.connect();
    return client;
  }

  async function ask(isOver: () => boolean): Promise<boolean> {
    const before = kept;
    try {
      const client = before ?? (await connect());
      const sentAt = Date.now();
      const { rows } = await client.query("select extract(epoch from clock_timestamp()) * 1000 as now");
      skew = skewOf({ before: sentAt, after: Date.now(), database: Number(rows[0]?.now) });
      return true;
    } catch {
      if (kept) drop(kept);
      // What was kept may have died since it was last asked, as at a restart of the database.
      return before !== null && !isOver() && ask(isOver);
    }
  }

  async function askInTime(): Promise<boolean> {
    let isOver = false;
    const answered = await Promise.race([ask(() => isOver), delay(patience, false, { ref: false })]);
    isOver = true;
    if (!answered && kept) drop(kept);
    return answered;
  }

  return {
    answers() {
      asking ??= askInTime().finally(() => {
        asking = null;
      });
      return asking;
    },
    clockSkew: () => skew,
    close() {
      if (kept) drop(kept);
    },
  };
}
