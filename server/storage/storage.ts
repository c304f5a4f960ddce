import type { Readable } from "node:stream";

/**
 * Keys are made by the academy, never from names that people gave.
 * @throws Refusal storage-full; unavailable while the store cannot be reached
 */
export interface Storage {
  readonly incoming: string;
  /**
   * Atomic: readers see nothing before it resolves; afterwards the content survives a power cut. Leaves nothing in
   * `incoming`.
   */
  put(key: string, content: Uint8Array | WholeFile): Promise<void>;
  /** The reader finishes although the key is deleted meanwhile. */
  read(key: string, range?: ByteRange): Promise<StoredContent | null>;
  delete(key: string): Promise<void>;
  /** Atomic for readers; does nothing when there is no file at `from`. */
  move(from: string, to: string): Promise<void>;
  /** Times are real ones, which the sandbox does not move. */
  list(folder: string): AsyncIterable<StoredFile>;
  /** Drops what uploads into the folder left that began before this real time and were never finished. */
  dropUnfinished(folder: string, before: Date): Promise<void>;
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
  /** The size of the whole content, also for a range. */
  readonly size: number;
}

export interface StoredFile {
  readonly key: string;
  readonly size: number;
  readonly storedAt: Date;
}

/** Whether the academy gives such keys; other files in a store are not its own. */
export function isKey(key: string): boolean {
  return /^[a-z]+\/[a-z0-9-]{16,64}$/.test(key);
}

/** @throws Error for a key that the academy would not make, which is a bug: no key comes from outside */
export function checkKey(key: string): string {
  if (!isKey(key)) throw new Error(`not a storage key: ${key}`);
  return key;
}

/** Keeps an early error for the reader: a stream that fails without a listener would end the process. */
export function readLater(stream: Readable): Readable {
  return stream.on("error", () => undefined);
}
