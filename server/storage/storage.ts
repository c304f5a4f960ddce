import type { Readable } from "node:stream";

/** No key has a name that people gave. @throws Refusal storage-full without space, unavailable without a store. */
export interface Storage {
  readonly incoming: string;
  /** Once resolved, the content survives a power cut; before, nobody sees any of it. Leaves nothing in `incoming`. */
  put(key: string, content: Uint8Array | WholeFile): Promise<void>;
  /** The reader finishes although the key is deleted meanwhile. */
  read(key: string, range?: ByteRange): Promise<StoredContent | null>;
  delete(key: string): Promise<void>;
  /** Whole at every instant; nothing happens when there is none under `from`. */
  move(from: string, to: string): Promise<void>;
  /** Times are the store's, which no sandbox moves. */
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
  /** Of the whole content, also when a range was asked for. */
  readonly size: number;
}

export interface StoredFile {
  readonly key: string;
  readonly size: number;
  readonly storedAt: Date;
}

/** The academy did not put there what has another name. */
export function isKey(key: string): boolean {
  return /^[a-z]+\/[a-z0-9-]{16,64}$/.test(key);
}

/** @throws Error, a defect of ours: no key comes from outside. */
export function checkKey(key: string): string {
  if (!isKey(key)) throw new Error(`not a storage key: ${key}`);
  return key;
}

/** A stream may fail before its reader is there; without a listener that would end the process. */
export function readLater(stream: Readable): Readable {
  return stream.on("error", () => undefined);
}
