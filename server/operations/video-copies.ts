import { createHash, hash } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { json } from "node:stream/consumers";
import { DAY, HOUR } from "#server/base/clock.ts";
import { diskStorage } from "#server/storage/disk.ts";
import { receive } from "#server/storage/receive.ts";
import { isKey, type Storage } from "#server/storage/storage.ts";
import type { VideoFile } from "#server/studio/playable.ts";
import { OperationRefused } from "./connect-database.ts";
import { encryptFor, isEncrypted } from "./encryption.ts";
import { hashOf } from "./manifest.ts";

/**
 * Videos are large and never change, so all archives of a folder share one copy of each. For each archive a list, which
 * needs no key to be read, names its copies, so that those of deleted archives can go.
 */
const copiesFolder = "videocopies";
const listsFolder = "videolists";

export const folderBeside = (archive: string) => join(dirname(archive), "academy-videos");

/** For a restore, which writes nothing there. */
export const copiesBeside = (archive: string) => diskStorage(folderBeside(archive), tmpdir());

/** An encrypted copy has another name: a later backup without encryption, or with it, must not take it for its own. */
function copyKeyOf(key: string, isForRecipients: boolean): string {
  return `${copiesFolder}/${key.replace("videos/", "")}${isForRecipients ? "-age" : ""}`;
}

interface CopyList {
  /** The name of its archive. */
  readonly archive: string;
  readonly copies: readonly string[];
}

interface Copying {
  readonly archive: string;
  readonly recipients: readonly string[];
  readonly signal: AbortSignal | undefined;
}

/**
 * Copies the videos that have no copy yet; a copy appears only when it is whole.
 * @returns the keys of those that the store lacks, or has with another content
 */
export async function copyVideos(
  storage: Storage,
  open: () => Promise<Storage>,
  files: readonly VideoFile[],
  { archive, recipients, signal }: Copying,
): Promise<string[]> {
  if (files.length === 0) return [];
  const copies = await open();
  for await (const { key, storedAt } of copies.list("incoming")) {
    // A copy that is being written is modified more often.
    if (isKey(key) && storedAt.getTime() < Date.now() - HOUR) await copies.delete(key);
  }
  const keyOf = ({ key }: VideoFile) => copyKeyOf(key, recipients.length > 0);
  // Before the copies, so that nobody deletes them as unnamed.
  const list: CopyList = { archive, copies: files.map(keyOf) };
  await copies.put(`${listsFolder}/${hash("sha256", archive).slice(0, 32)}`, Buffer.from(JSON.stringify(list)));
  const sizes = await sizesIn(copies);
  const missing: string[] = [];
  for (const file of files) {
    signal?.throwIfAborted();
    const size = sizes.get(keyOf(file)) ?? 0;
    const isThere = recipients.length > 0 ? size > file.size : size === file.size;
    if (!isThere && !(await copy(storage, copies, file, { recipients, signal }))) missing.push(file.key);
  }
  return missing;
}

async function sizesIn(copies: Storage): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  for await (const { key, size } of copies.list(copiesFolder)) sizes.set(key, size);
  return sizes;
}

async function copy(
  storage: Storage,
  copies: Storage,
  { key, sha256 }: VideoFile,
  { recipients, signal }: Omit<Copying, "archive">,
): Promise<boolean> {
  const stored = await storage.read(key);
  if (!stored) return false;
  const plain = createHash("sha256");
  async function* hashed(stream: AsyncIterable<Uint8Array>) {
    for await (const chunk of stream) {
      signal?.throwIfAborted();
      plain.update(chunk);
      yield chunk;
    }
  }
  const isForRecipients = recipients.length > 0;
  const bytes = hashed(stored.stream);
  const written = isForRecipients ? await encryptFor(recipients, ReadableStream.from(bytes)) : bytes;
  const file = await receive(copies, written, Number.POSITIVE_INFINITY);
  const isOriginal = file !== null && plain.digest("hex") === sha256;
  if (isOriginal) await copies.put(copyKeyOf(key, isForRecipients), file);
  else if (file) await rm(file.path, { force: true });
  return isOriginal;
}

/**
 * Reads the copies back, the encrypted ones without their content, and deletes what is not what was written, so that the
 * next backup copies it anew.
 * @throws Error when there was any
 */
export async function verifyCopies(
  copies: Storage,
  files: readonly VideoFile[],
  { recipients, signal }: Omit<Copying, "archive">,
): Promise<void> {
  const damaged: string[] = [];
  for (const { key, name, size, sha256 } of files) {
    signal?.throwIfAborted();
    const copyKey = copyKeyOf(key, recipients.length > 0);
    const stored = await copies.read(copyKey);
    const isWhole =
      stored !== null &&
      (recipients.length > 0
        ? (await isEncrypted(stored.stream)) && stored.size > size
        : (await hashOf(stored.stream)) === sha256);
    if (isWhole) continue;
    damaged.push(name);
    await copies.delete(copyKey);
  }
  if (damaged.length > 0) {
    throw new Error(`the copies of videos were damaged, and the next backup makes them anew: ${damaged.join(", ")}`);
  }
}

/** A backup under way has its list and some copies, and no archive yet. */
const underWayFor = DAY;

/** Deletes the copies that no archive names any more. */
export async function pruneCopies(copies: Storage, isThere: (archive: string) => boolean): Promise<void> {
  const oldest = Date.now() - underWayFor;
  const named = new Set<string>();
  for await (const { key, storedAt } of copies.list(listsFolder)) {
    const stored = await copies.read(key);
    if (!stored) continue; // Another node's backup has deleted it.
    const list = (await json(stored.stream)) as CopyList;
    if (isThere(list.archive) || storedAt.getTime() > oldest) for (const copy of list.copies) named.add(copy);
    else await copies.delete(key);
  }
  for await (const { key, storedAt } of copies.list(copiesFolder)) {
    if (!named.has(key) && storedAt.getTime() < oldest) await copies.delete(key);
  }
}

/** Cheap: compares sizes. @throws OperationRefused unless each video has its copy. */
export async function requireCopies(copies: Storage, files: readonly VideoFile[], where: string): Promise<void> {
  if (files.length === 0) return;
  const sizes = await sizesIn(copies);
  const missing = files.filter(({ key, size }) => sizes.get(copyKeyOf(key, false)) !== size);
  if (missing.length === 0) return;
  const encrypted = missing.filter(({ key }) => sizes.has(copyKeyOf(key, true)));
  const names = inWords((encrypted.length > 0 ? encrypted : missing).map(({ name }) => name));
  throw new OperationRefused(
    encrypted.length > 0
      ? `Videos in ${join(where, copiesFolder)} are encrypted: ${names}. Decrypt each where its key is (age -d -i KEY_FILE -o NAME NAME-age), and restore then.`
      : `The folder ${where} lacks videos of the backup: ${names}. Copy it with the backup, or restore with --without-missing-videos.`,
  );
}

/** @returns those of which there is no copy, or a damaged one */
export async function restoreVideos<File extends VideoFile>(
  copies: Storage,
  storage: Storage,
  files: readonly File[],
): Promise<File[]> {
  const lost: File[] = [];
  for (const file of files) if (!(await restoreVideo(copies, storage, file))) lost.push(file);
  return lost;
}

async function restoreVideo(copies: Storage, storage: Storage, { key, size, sha256 }: VideoFile): Promise<boolean> {
  const existing = await storage.read(key);
  if (existing && (await hashOf(existing.stream)) === sha256) return true;
  const copied = await copies.read(copyKeyOf(key, false));
  const received = copied && (await receive(storage, copied.stream, size));
  if (received?.sha256 === sha256) {
    await storage.put(key, received);
    return true;
  }
  if (received) await rm(received.path, { force: true });
  return false;
}

export function damagedCopies(files: readonly VideoFile[], where: string): OperationRefused {
  const names = inWords(files.map(({ name }) => name));
  return new OperationRefused(
    `Videos in ${where} are not what was written: ${names}. Take them from another copy of that folder and repeat the restore, or repeat it with --without-missing-videos.`,
  );
}

function inWords(names: readonly string[]): string {
  const [shown, others] = [names.slice(0, 5).join(", "), names.length - 5];
  return others > 0 ? `${shown} and ${others} more` : shown;
}
