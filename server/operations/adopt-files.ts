import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { Config } from "#server/context/config.ts";
import { forgetSweeps, type Inventory, takeInventory } from "#server/files/sweep.ts";
import { openStorage } from "#server/storage/open.ts";
import { markStore } from "#server/storage/owner.ts";
import { cannotConnect, connectDatabase, OperationRefused } from "./connect-database.ts";
import { dbOf } from "./queries.ts";
import { listMigrations } from "./rows.ts";
import { refuseUnfinishedRestore } from "./unfinished-restore.ts";

/** Marks the configured file store as this academy's, whatever its mark was. @throws OperationRefused. */
export async function adoptFiles(config: Config): Promise<Inventory> {
  refuseUnfinishedRestore(config.dataDir);
  const database = await connectDatabase(config);
  const scratch = await mkdtemp(join(tmpdir(), "academy-adopt-"));
  const client = new pg.Client({ ...database.connection, application_name: "academy adopt-files" });
  client.on("error", () => {}); // A connection that breaks between two queries fails the next one.
  try {
    await client.connect().catch(cannotConnect);
    if ((await listMigrations(client)).length === 0) {
      throw new OperationRefused(
        "The database holds no academy: start the academy on it first, or name the right one.",
      );
    }
    const storage = await openStorage(config.storage, join(config.dataDir, "files"), scratch);
    const store = { db: dbOf(client), storage };
    await markStore(store, new Date());
    await forgetSweeps(store.db);
    return await takeInventory(store);
  } finally {
    await client.end().catch(() => {}); // It may never have connected.
    await database.close();
    await rm(scratch, { recursive: true, force: true });
  }
}
