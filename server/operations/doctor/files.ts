import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { after, DAY, HOUR } from "#server/base/clock.ts";
import type { Config } from "#server/context/config.ts";
import type { Db } from "#server/db/db.ts";
import { inspectStore, requireTouchable, type StoreState, storeName } from "#server/files/store-state.ts";
import { listUnnamed, takeInventory, trashedFor, unnamedFor } from "#server/files/sweep.ts";
import { openStorage } from "#server/storage/open.ts";
import { findLastBackup } from "../backup.ts";
import { dbOf } from "../queries.ts";
import type { BackupFailure, BackupNote } from "../scheduled-backups.ts";

const oldestBackup = DAY + 2 * HOUR;
const oldestVerified = 9 * DAY;

export async function checkFiles(config: Config, client: pg.Client): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), "academy-doctor-"));
  try {
    const storage = await openStorage(config.storage, join(config.dataDir, "files"), scratch);
    const store = { db: dbOf(client), storage };
    const state = await inspectStore(store);
    requireTouchable(state, config);
    if (state === "missing") {
      throw new Error(
        `${storeName(config)} is empty, and rows name files: mount the volume or name the store that has them.`,
      );
    }
    const { named, missing, unnamed, trashed } = await takeInventory(store);
    if (missing.length > 0) {
      throw new Error(
        `missing of ${named}: ${missing.join(", ")}. Take them from a backup, or delete the resources at /admin-upload.`,
      );
    }
    const facts = [`${named} that rows name, all there`];
    if (unnamed.length > 0) facts.push(await forecastSweep(store.db, unnamed, state));
    if (trashed.length > 0) facts.push(`${trashed.length} in the trash, for ${trashedFor / DAY} days each`);
    if (state === "copied") {
      facts.push("another copy of this database had them last, so nothing is removed until npm run adopt-files");
    }
    return facts.join("; ");
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function forecastSweep(db: Db, unnamed: readonly string[], state: StoreState): Promise<string> {
  const since = new Map((await listUnnamed(db)).map(({ key, firstSeenAt }) => [key, firstSeenAt]));
  const dates = unnamed.map((key) =>
    after(since.get(key) ?? new Date(), unnamedFor)
      .toISOString()
      .slice(0, 10),
  );
  const named = unnamed.slice(0, 10).map((key, at) => `${key} from ${dates[at]} on`);
  const rest = unnamed.length > 10 ? ` and ${unnamed.length - 10} more` : "";
  const verb = state === "ours" ? "will go" : "would go";
  return `${unnamed.length} that no row names ${verb} to the trash: ${named.join(", ")}${rest}`;
}

export interface DatabaseBackups {
  /** No academy has started on the database yet. */
  readonly isNew: boolean;
  /** The note about scheduled backups of all nodes. */
  readonly scheduled: BackupNote | null;
  /** The newest scheduled try, if it failed. */
  readonly failure: BackupFailure | null;
}

export async function checkBackup(config: Config, { isNew, scheduled, failure }: DatabaseBackups): Promise<string> {
  const { every } = config.backups;
  const own = (await findLastBackup(config))?.madeAt ?? "";
  const last = [own, scheduled?.madeAt ?? ""].sort().at(-1);
  const age = last ? Date.now() - Date.parse(last) : Number.POSITIVE_INFINITY;
  const facts = [last ? `the last one is of ${last}` : "none was made on this machine"];
  if (every !== null) {
    facts.push(
      scheduled?.verifiedAt ? `one was restored and compared at ${scheduled.verifiedAt}` : "none was verified",
    );
  }
  const what = facts.join("; ");
  if (failure) throw new Error(`${what}; the one of ${failure.failedAt} failed: ${failure.reason}`);
  if (config.mode !== "production" || isNew) return what;
  if (age > (every === null ? oldestBackup : 1.5 * every)) {
    throw new Error(`${what}: ${every === null ? "set BACKUP_EVERY" : 'look for "back-up" in the log'}.`);
  }
  if (every !== null && Date.now() - Date.parse(scheduled?.verifiedAt ?? "1970-01-01") > oldestVerified) {
    throw new Error(`${what}: look for "verified" and "back-up" in the log.`);
  }
  return what;
}
