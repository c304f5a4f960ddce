import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { startEmbeddedPostgres } from "#server/db/embedded.ts";
import { endLeftovers } from "#server/db/embedded-processes.ts";
import type { ArchiveSource } from "./archive.ts";
import { type Manifest, readManifest } from "./manifest.ts";
import { restoreRows } from "./restore-rows.ts";

/**
 * Compares every file with its checksum, and restores the rows into a scratch database in DATA_DIR.
 * @throws Error that says what is wrong with the backup; DatabaseUnavailable where no embedded PostgreSQL is
 * installed
 */
export async function verifyBackup(dataDir: string, source: ArchiveSource): Promise<Manifest> {
  const manifest = await readManifest(source);
  const scratch = join(dataDir, "verifying");
  await removeScratch(scratch);
  try {
    // The scratch database need not survive a power cut.
    const embedded = await startEmbeddedPostgres(scratch, { settings: { fsync: "off" } });
    try {
      const nothing = async () => {};
      await restoreRows(embedded.connection, {
        source,
        manifest,
        backup: "verified",
        isRepeated: false,
        adminEmails: [],
        begin: nothing,
        rest: nothing,
      });
    } finally {
      await embedded.stop();
    }
  } finally {
    await removeScratch(scratch);
  }
  return manifest;
}

async function removeScratch(scratch: string): Promise<void> {
  if (existsSync(join(scratch, "postgres"))) await endLeftovers(join(scratch, "postgres"));
  await rm(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
