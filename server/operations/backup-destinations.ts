import { createReadStream, existsSync } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "#server/context/config.ts";
import { diskStorage } from "#server/storage/disk.ts";
import { openStorage } from "#server/storage/open.ts";
import type { Storage } from "#server/storage/storage.ts";
import { type ArchiveSource, archiveIn } from "./archive.ts";
import { type Backup, backUp, backupName, backupNames } from "./backup.ts";
import { hashOf } from "./manifest.ts";
import { folderBeside, pruneCopies } from "./video-copies.ts";

/**
 * Makes a backup at `path`, or without one where BACKUP_TO says.
 * @returns with the path of the file, or its key in the object store
 * @throws OperationRefused
 */
export async function backUpOnce(
  config: Config,
  path: string | null,
  version: string,
  signal: AbortSignal,
): Promise<Backup> {
  if (path !== null || config.backups.to === "folder") return backUp(config, path, version, { signal });
  // Not the folder of scheduled backups, which a running academy empties.
  const folder = join(config.dataDir, "outgoing-backup");
  const destination = inStore(await openStorage(config.storage, "", folder), folder);
  await destination.prepare();
  try {
    const name = backupName(config, new Date());
    const deliver = () => destination.take(name);
    const backup = await backUp(config, join(folder, name), version, {
      signal,
      deliver,
      openCopies: destination.openCopies,
    });
    return { ...backup, path: destination.idOf(name) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where backups are stored. */
export interface BackupDestination {
  /** Where a backup is written. */
  readonly folder: string;
  /** Opens where videos are copied. */
  openCopies(): Promise<Storage>;
  /** Removes what killed processes left. */
  prepare(): Promise<void>;
  /** Moves a written backup to where backups are kept. */
  take(name: string): Promise<void>;
  source(name: string): ArchiveSource;
  idOf(name: string): string;
  /** Ids of the backups, which sort by age. */
  list(): Promise<string[]>;
  remove(id: string): Promise<void>;
  /** Deletes the copies of videos that none of the backups names. */
  pruneCopies(): Promise<void>;
}

export function inFolder(folder: string): BackupDestination {
  const copies = folderBeside(join(folder, "any.tar"));
  return {
    folder,
    openCopies: () => diskStorage(copies),
    prepare: async () => {},
    take: async () => {},
    source: (name) => archiveIn(join(folder, name)),
    idOf: (name) => name,
    list: async () => (await readdir(folder)).filter((name) => backupNames.test(name)),
    remove: (id) => rm(join(folder, id), { force: true }),
    async pruneCopies() {
      if (existsSync(copies)) await pruneCopies(await diskStorage(copies), (name) => existsSync(join(folder, name)));
    },
  };
}

/** @param folder only for backups that are being written */
export function inStore(storage: Storage, folder: string): BackupDestination {
  // Keys of the store have neither dots nor capital letters.
  const idOf = (name: string) => `backups/${name.toLowerCase().replaceAll(".", "-")}`;
  return {
    folder,
    openCopies: async () => storage,
    async prepare() {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true, mode: 0o700 });
    },
    async take(name) {
      const path = join(folder, name);
      const { size } = await stat(path);
      const sha256 = await hashOf(createReadStream(path));
      await storage.put(idOf(name), { path, size, sha256 });
    },
    source: (name) => async () => {
      const stored = await storage.read(idOf(name));
      if (!stored) throw new Error(`${name} is not in the object store`);
      return ReadableStream.from(stored.stream);
    },
    idOf,
    async list() {
      const found: string[] = [];
      for await (const { key } of storage.list("backups")) if (backupIds.test(key)) found.push(key);
      return found;
    },
    remove: (id) => storage.delete(id),
    async pruneCopies() {
      const kept = new Set(await this.list());
      await pruneCopies(storage, (name) => kept.has(idOf(name)));
    },
  };
}

const backupIds = /^backups\/academy-[\dtz-]+-tar(-age)?$/;
