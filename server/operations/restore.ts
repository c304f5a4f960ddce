import { hash } from "node:crypto";
import { constants, createReadStream, existsSync } from "node:fs";
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Config } from "#server/context/config.ts";
import { hasReplaced, migrationsFolder } from "#server/db/db.ts";
import { startEmbeddedPostgres } from "#server/db/embedded.ts";
import { endLeftovers } from "#server/db/embedded-processes.ts";
import { fileFolders, storeName } from "#server/files/store-state.ts";
import { openDataDir } from "#server/process/data-dir.ts";
import { openStorage } from "#server/storage/open.ts";
import { findMark, type Mark, removeMark, writeMark } from "#server/storage/owner.ts";
import { receive } from "#server/storage/receive.ts";
import type { Storage } from "#server/storage/storage.ts";
import { ArchiveDamaged, type ArchiveSource, archiveIn, readArchive, syncDirectory } from "./archive.ts";
import { directConnection, OperationRefused } from "./connect-database.ts";
import { isEncrypted } from "./encryption.ts";
import { hashOf, type Manifest, readManifest } from "./manifest.ts";
import { notEmpty, otherBackup, type RestoredRows, restoreRows, type Work } from "./restore-rows.ts";
import type { RestoredTeam } from "./restored-team.ts";
import { beginRestore, endRestore, findBegun } from "./unfinished-restore.ts";
import { copiesBeside, damagedCopies, folderBeside, requireCopies, restoreVideos } from "./video-copies.ts";

export interface Restored extends Manifest {
  readonly team: RestoredTeam;
  readonly leftOut: readonly string[];
  /** Names of videos that were not beside the backup, or damaged. */
  readonly withoutVideos: readonly string[];
}

interface RestoreOptions {
  readonly adoptFiles?: boolean;
  readonly withoutMissingVideos?: boolean;
}

/**
 * Restores a backup into an empty location. After an interruption no academy starts there until the same restore has
 * run again.
 * @throws OperationRefused.
 */
export async function restore(
  config: Config,
  path: string,
  { adoptFiles = false, withoutMissingVideos = false }: RestoreOptions = {},
): Promise<Restored> {
  const source = archiveIn(path);
  const manifest = await readBackup(path, source);
  await refuseOtherReleases(manifest);
  const copies = await copiesBeside(path);
  if (!withoutMissingVideos) await requireCopies(copies, manifest.videos, folderBeside(path));
  let lost: Manifest["videos"] = [];
  const held = openDataDir(config.dataDir);
  try {
    const backup = hash("sha256", JSON.stringify(manifest)).slice(0, 32);
    const store = storeName(config);
    const begun = findBegun(held.path);
    if (begun && begun.backup !== backup) throw otherBackup(`DATA_DIR ${held.path}`, begun.path);
    if (!begun && !config.databaseUrl && existsSync(join(held.path, "postgres"))) {
      throw notEmpty(`DATA_DIR ${held.path} has a database already`);
    }
    await refuseOtherKeys(manifest, held.path);
    const storage = await openStorage(config.storage, join(held.path, "files"));
    const mark = await findMark(storage);
    const isAccepted = adoptFiles || begun?.store === store || mark?.restoring === backup;
    const isRepeated = begun !== null || mark?.restoring === backup;
    const work: Work = {
      source,
      manifest,
      backup,
      isRepeated,
      adminEmails: config.adminEmails,
      begin: async () => {
        if (!isAccepted) await refuseOtherFiles(storage, mark, manifest, store);
        await beginRestore(held.path, { backup, path, store });
        await writeMark(storage, { academy: "", database: null, restoring: backup });
      },
      rest: async () => {
        await restoreBesideRows(source, manifest, held.path, storage);
        lost = await restoreVideos(copies, storage, manifest.videos);
        if (lost.length > 0 && !withoutMissingVideos) throw damagedCopies(lost, folderBeside(path));
      },
    };
    const { owner, ...rows } = config.databaseUrl
      ? await restoreRows(await directConnection(config, config.databaseUrl), work).catch((error) =>
          refuseDamaged(error, path, halfWay),
        )
      : await restoreEmbedded(held.path, work).catch((error) => refuseDamaged(error, path, halfWay));
    // Without an academy in the backup, the next start claims the files that the rows name.
    await (owner ? writeMark(storage, owner) : removeMark(storage));
    await endRestore(held.path);
    return { ...manifest, ...rows, withoutVideos: lost.map(({ name }) => name) };
  } finally {
    held.release();
  }
}

async function readBackup(path: string, source: ArchiveSource): Promise<Manifest> {
  await access(path, constants.R_OK).catch(() => {
    throw new OperationRefused(`There is no file ${path} that this account may read.`);
  });
  if (await isEncrypted(createReadStream(path))) {
    throw new OperationRefused(
      `${path} is encrypted: decrypt it where its key is (age -d -i KEY_FILE FILE > academy.tar), and restore that.`,
    );
  }
  return readManifest(source).catch((error) => refuseDamaged(error, path));
}

/** Turns a failure that the backup's contents caused, damaged or crafted, into a sentence. */
function refuseDamaged(error: unknown, path: string, advice = "Nothing was restored; take another backup."): never {
  if (!(error instanceof ArchiveDamaged)) throw error;
  throw new OperationRefused(`${path} is damaged: ${error.message}. ${advice}`);
}

const halfWay = "No row is in force; restore another backup into an empty location.";

async function refuseOtherReleases({ migrations, version }: Manifest): Promise<void> {
  const known = new Set(await readdir(migrationsFolder));
  if (migrations.every((name) => known.has(name))) return;
  if (await hasReplaced(migrations)) {
    throw new OperationRefused("The backup is from before the first release, which cannot restore it.");
  }
  throw new OperationRefused(`The backup was made by a newer academy (${version}): restore it with that release.`);
}

/** Never overwrites another academy's keys or sandbox; an interrupted restore has left the backup's own. */
async function refuseOtherKeys({ files }: Manifest, dataDir: string): Promise<void> {
  for (const { name, sha256 } of files.filter(isKept)) {
    const path = join(dataDir, name);
    if (!existsSync(path) || hash("sha256", await readFile(path)) === sha256) continue;
    throw notEmpty(`DATA_DIR ${dataDir} holds another academy's ${name}`);
  }
}

/** A store with files that the backup does not have belongs to another academy. */
async function refuseOtherFiles(storage: Storage, mark: Mark | null, manifest: Manifest, where: string): Promise<void> {
  const advice =
    "Restore into an empty store; if the files are this academy's, restore with --adopt-files, which keeps them.";
  if (mark) throw new OperationRefused(`The files in ${where} belong to an academy. ${advice}`);
  const ofBackup = new Set([
    ...manifest.files.map(({ name }) => name),
    ...manifest.videos.map(({ key }) => `files/${key}`),
  ]);
  for (const folder of fileFolders) {
    for await (const { key } of storage.list(folder)) {
      if (!ofBackup.has(`files/${key}`)) throw new OperationRefused(`There are files in ${where} already. ${advice}`);
    }
  }
}

function isKept({ name }: { name: string }): boolean {
  return /^(secrets|sandbox)\/\w[\w.-]*$/.test(name);
}

/** Restores into a folder beside the database's and renames it when it is complete, so that no start finds a part. */
async function restoreEmbedded(dataDir: string, work: Work): Promise<RestoredRows> {
  const staging = join(dataDir, "restoring");
  const isInPlace = existsSync(join(dataDir, "postgres"));
  const directory = isInPlace ? dataDir : staging;
  if (!isInPlace) {
    if (existsSync(join(staging, "postgres"))) await endLeftovers(join(staging, "postgres"));
    await rm(staging, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
  const embedded = await startEmbeddedPostgres(directory);
  const rows = await restoreRows(embedded.connection, work)
    .finally(() => embedded.stop())
    .catch(async (error) => {
      if (!isInPlace) await rm(staging, { recursive: true, force: true });
      throw error;
    });
  if (!isInPlace) await rename(join(staging, "postgres"), join(dataDir, "postgres"));
  await syncDirectory(dataDir);
  await rm(staging, { recursive: true, force: true });
  return rows;
}

async function restoreBesideRows(
  source: ArchiveSource,
  manifest: Manifest,
  dataDir: string,
  storage: Storage,
): Promise<void> {
  const files = new Map(manifest.files.map((file) => [file.name, file]));
  for await (const { name, content } of readArchive(source)) {
    const { size, sha256 } = files.get(name) ?? { size: 0, sha256: "" };
    if (name.startsWith("files/")) {
      const key = name.slice("files/".length);
      const file = await receive(storage, content, size);
      if (file?.sha256 !== sha256) throw new Error(`${name} changed while it was read`);
      await storage.put(key, file);
      const stored = await storage.read(key);
      if (!stored || (await hashOf(stored.stream)) !== sha256) throw new Error(`${name} did not come back`);
    } else if (isKept({ name })) {
      const path = join(dataDir, name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(`${path}.unfinished`, content, { mode: 0o600, flush: true });
      await rename(`${path}.unfinished`, path);
      await syncDirectory(dirname(path));
    }
  }
}
