import type { Readable } from "node:stream";

/**
 * Where files live: on disk or in an object store, behind the same promises. Keys are a folder and a random name, such
 * as `resources/6f0…`; names that people gave their files are never part of one. Everything is refused with
 * `storage-full` when no space is left, and with `unavailable` when the store cannot be reached.
 */
export interface Storage {
  /** A directory of this machine in which files are put together before `put`. */
  readonly incoming: string;
  /**
   * Stores bytes, or moves a whole file of `incoming`, under a key. When it resolves the content survives a power cut;
   * before that nobody sees any part of it. The same key again replaces the content. The file is gone from `incoming`
   * afterwards, also when it could not be stored.
   */
  put(key: string, content: Uint8Array | WholeFile): Promise<void>;
  /** The content from the first byte or from `range`; null when there is none. The reader finishes although the key is deleted meanwhile. */
  read(key: string, range?: ByteRange): Promise<StoredContent | null>;
  /** Afterwards there is nothing under the key, whether or not there was before. */
  delete(key: string): Promise<void>;
  /** Gives a file another key, whole at every instant; nothing happens when there is none under `from`. */
  move(from: string, to: string): Promise<void>;
  /** Every file of a folder, such as `resources`. Times are those of the store, which no sandbox moves. */
  list(folder: string): AsyncIterable<StoredFile>;
}

export interface WholeFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** Both ends included, as in HTTP. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

export interface StoredContent {
  readonly stream: Readable;
  /** Bytes of the whole content, also when a range of it was asked for. */
  readonly size: number;
}

export interface StoredFile {
  readonly key: string;
  readonly size: number;
  readonly storedAt: Date;
}

/** A folder and a random name: what else lies in a store was not put there by an academy. */
export function isKey(key: string): boolean {
  return /^[a-z]+\/[a-z0-9-]{16,64}$/.test(key);
}

/** @throws Error for what is no key: such a one never comes from outside. */
export function checkKey(key: string): string {
  if (!isKey(key)) throw new Error(`not a storage key: ${key}`);
  return key;
}

/** The same stream, which may fail before anybody reads it without ending the process: its reader sees the failure. */
export function readLater(stream: Readable): Readable {
  return stream.on("error", () => undefined);
}
