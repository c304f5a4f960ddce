import { constants, existsSync } from "node:fs";
import { access, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type pg from "pg";
import { HOUR } from "#server/base/clock.ts";
import type { Config } from "#server/context/config.ts";
import { listNamedFiles } from "#server/files/store-state.ts";
import { diskStorage } from "#server/storage/disk.ts";
import { openStorage } from "#server/storage/open.ts";
import type { Storage } from "#server/storage/storage.ts";
import { listVideoFiles, type VideoFile } from "#server/studio/playable.ts";
import { type Packed, removeUnfinished, type Unpacked, writeArchive } from "./archive.ts";
import { OperationRefused, withDatabase } from "./connect-database.ts";
import { encryptFor, requireRecipients } from "./encryption.ts";
import { type Manifest, manifestName } from "./manifest.ts";
import { dbOf } from "./queries.ts";
import {
  contentsOf,
  countWaitingMigrations,
  describeDatabase,
  fixSessionSettings,
  listMigrations,
  listTables,
  readRows,
} from "./rows.ts";
import { refuseUnfinishedRestore } from "./unfinished-restore.ts";
import { copyVideos, folderBeside } from "./video-copies.ts";

const compress = promisify(gzip);

/**
 * A file that is older and unfinished was left by a killed backup: one that is being written is modified more often.
 */
const leftoverAfter = HOUR;

type Add = (name: string, content: Uint8Array | Unpacked) => Promise<void>;

export interface Backup extends Manifest {
  readonly path: string;
  readonly size: number;
}

interface BackupOptions {
  readonly signal?: AbortSignal | undefined;
  /** Recipients besides those of the configuration. */
  readonly alsoFor?: readonly string[];
  /** Opens where videos are copied; by default beside the archive. */
  readonly openCopies?: () => Promise<Storage>;
  /** Takes the file to where it is kept. Only then is it the last backup. */
  readonly deliver?: () => Promise<void>;
}

/**
 * Makes a backup, beside a running academy or without one. An abort leaves no file. Removes what killed backups left
 * in the folder.
 * @throws OperationRefused when `path` exists
 */
export async function backUp(
  config: Config,
  path: string | null,
  version: string,
  { signal, alsoFor = [], openCopies, deliver = async () => {} }: BackupOptions = {},
): Promise<Backup> {
  const target = path ?? join(config.backups.folder, backupName(config, new Date()));
  const recipients = [...config.backups.recipients, ...alsoFor];
  const encrypt =
    recipients.length > 0 ? (bytes: ReadableStream<Uint8Array>) => encryptFor(recipients, bytes) : undefined;
  if (recipients.length > 0) await requireRecipients(recipients);
  if (existsSync(target)) throw new OperationRefused(`${target} exists already: name another file.`);
  refuseUnfinishedRestore(config.dataDir);
  const scratch = await mkdtemp(join(tmpdir(), "academy-backup-"));
  const run = async (client: pg.Client) => {
    if ((await countWaitingMigrations(client)) > 0) {
      throw new OperationRefused(
        "The database is as an older release left it: back it up with that release, or start this one first.",
      );
    }
    for (const folder of [config.dataDir, dirname(target)]) await requireWritable(folder);
    await removeUnfinished(dirname(target), isBackup(target), new Date(Date.now() - leftoverAfter));
    const storage = await openStorage(config.storage, join(config.dataDir, "files"), join(scratch, "incoming"));
    const copying = { archive: basename(target), recipients: config.backups.recipients, signal };
    const copy = (videos: readonly VideoFile[]) =>
      copyVideos(storage, openCopies ?? (() => diskStorage(folderBeside(target))), videos, copying);
    const write = () =>
      writeBackup({ client, storage, dataDir: config.dataDir, target, version, signal, encrypt, copy });
    // Copying may take hours, in which an unfinished archive would look like a killed backup's.
    await copy(await listVideoFiles(dbOf(client)));
    const first = await write();
    // A named file may be deleted before it is read; the next snapshot no longer names it.
    const backup = first.missing.length > 0 ? await write() : first;
    await deliver();
    const record: LastBackup = { madeAt: backup.madeAt, path: target, size: backup.size };
    await writeFile(lastBackupFile(config), JSON.stringify(record), { mode: 0o600 });
    return backup;
  };
  return withDatabase(config, "backup", run).finally(() => rm(scratch, { recursive: true, force: true }));
}

async function requireWritable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new OperationRefused(`This account cannot write to ${folder}.`, { cause });
  }
}

/** `academy-2026-11-23T00-33-00Z.tar`, with `.age` when it is encrypted. */
export const backupNames = /^academy-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar(\.age)?$/;

function isBackup(target: string) {
  return (name: string) => name === basename(target) || backupNames.test(name);
}

export function backupName({ backups }: Config, madeAt: Date): string {
  const instant = madeAt.toISOString().replace(/\.\d+/, "").replaceAll(":", "-");
  return `academy-${instant}.tar${backups.recipients.length > 0 ? ".age" : ""}`;
}

interface LastBackup {
  readonly madeAt: string;
  readonly path: string;
  readonly size: number;
}

/** The last backup that was made on this machine, even if its file was moved. */
export async function findLastBackup(config: Config): Promise<LastBackup | null> {
  const file = lastBackupFile(config);
  return existsSync(file) ? JSON.parse(await readFile(file, "utf8")) : null;
}

function lastBackupFile({ dataDir }: Config): string {
  return join(dataDir, "last-backup.json");
}

interface Source {
  readonly client: pg.Client;
  readonly storage: Storage;
  readonly dataDir: string;
  readonly target: string;
  readonly version: string;
  readonly signal: AbortSignal | undefined;
  readonly encrypt: ((bytes: ReadableStream<Uint8Array>) => Promise<ReadableStream<Uint8Array>>) | undefined;
  /** Copies videos beside the archive and returns the keys of those that the store lacks. */
  readonly copy: (videos: readonly VideoFile[]) => Promise<string[]>;
}

async function writeBackup(source: Source): Promise<Backup> {
  const { client, storage, dataDir, target, version, signal, encrypt, copy } = source;
  const files: Packed[] = [];
  let manifest: Manifest | undefined;
  const size = await writeArchive(
    target,
    async (pack) => {
      const add: Add = async (name, content) => void files.push(await pack(name, content));
      const { keys, videos, ...rows } = await addRows(client, add);
      // Files after rows: a file is stored before its row is written, so that every named file is there.
      const ofVideos = new Set(videos.map(({ key }) => key));
      const others = keys.filter((key) => !ofVideos.has(key));
      const lost = await copy(videos);
      const missing = [...lost, ...(await addFiles(storage, others, add))];
      await addFolder(dataDir, "secrets", add);
      await addSandbox(join(dataDir, "sandbox"), add);
      const copied = videos.filter(({ key }) => !lost.includes(key));
      manifest = { format: 1, version, ...rows, files, videos: copied, missing };
      await pack(manifestName, Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`));
    },
    { signal, encrypt },
  );
  if (!manifest) throw new Error("an archive was written without its manifest");
  return { ...manifest, path: target, size };
}

async function addRows(client: pg.Client, add: Add) {
  await fixSessionSettings(client);
  await client.query("begin isolation level repeatable read, read only");
  const { version: postgres, now } = await describeDatabase(client);
  const tables: Manifest["tables"] = [];
  for (const table of await listTables(client)) {
    let part = 0;
    for await (const text of readRows(client, table)) {
      await add(`rows/${table.name}.${String(++part).padStart(6, "0")}.json.gz`, await compress(text, { level: 1 }));
    }
    tables.push({ name: table.name, ...(await contentsOf(client, table)) });
  }
  const keys = await listNamedFiles(dbOf(client));
  const videos = await listVideoFiles(dbOf(client));
  const migrations = await listMigrations(client);
  await client.query("commit");
  return { madeAt: now.toISOString(), postgres, migrations, tables, keys, videos };
}

async function addFiles(storage: Storage, keys: readonly string[], add: Add): Promise<string[]> {
  const missing: string[] = [];
  for (const key of keys) {
    const content = await storage.read(key);
    if (content) await add(`files/${key}`, content);
    else missing.push(key);
  }
  return missing;
}

async function addFolder(dataDir: string, folder: string, add: Add): Promise<void> {
  const path = join(dataDir, folder);
  if (!existsSync(path)) return;
  for (const name of (await readdir(path)).filter((one) => !one.endsWith(".unfinished")).sort()) {
    await add(`${folder}/${name}`, await readFile(join(path, name)));
  }
}

/**
 * Reads SQLite's main file and its log until a second look finds the main file unchanged: a checkpoint in between
 * would break the pair.
 */
async function addSandbox(folder: string, add: Add): Promise<void> {
  const names = ["sandbox.sqlite", "sandbox.sqlite-wal"];
  const present = names.filter((name) => existsSync(join(folder, name)));
  if (present.length === 0) return;
  const changedAt = async () => (await stat(join(folder, "sandbox.sqlite"), { bigint: true })).mtimeNs;
  for (;;) {
    const before = await changedAt();
    const contents = await Promise.all(present.map((name) => readFile(join(folder, name))));
    if ((await changedAt()) !== before) continue;
    for (const [at, name] of present.entries()) await add(`sandbox/${name}`, contents[at] ?? Buffer.alloc(0));
    return;
  }
}
