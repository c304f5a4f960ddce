import { createReadStream } from "node:fs";
import { mkdir, open, opendir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { newId } from "#server/db/id.ts";
import {
  type ByteRange,
  checkKey,
  readLater,
  type Storage,
  type StoredContent,
  type StoredFile,
  type WholeFile,
} from "./storage.ts";
import { isMissing, storageRefusal } from "./storage-refusal.ts";

/** @param incoming on the same file system, where a rename is atomic */
export async function diskStorage(directory: string, incoming = join(directory, "incoming")): Promise<Storage> {
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  return new DiskStorage(directory, incoming);
}

class DiskStorage implements Storage {
  readonly incoming: string;
  private readonly directory: string;

  constructor(directory: string, incoming: string) {
    this.directory = directory;
    this.incoming = incoming;
  }

  async put(key: string, content: Uint8Array | WholeFile): Promise<void> {
    checkKey(key);
    const isBytes = content instanceof Uint8Array;
    const path = isBytes ? join(this.incoming, newId()) : content.path;
    try {
      if (isBytes) await writeFile(path, content, { mode: 0o600 });
      await sync(path);
      await rename(path, await this.makeFolderOf(key));
      await sync(dirname(this.pathOf(key)));
    } catch (error) {
      throw storageRefusal(error);
    } finally {
      await rm(path, { force: true });
    }
  }

  async read(key: string, range?: ByteRange): Promise<StoredContent | null> {
    const file = await open(this.pathOf(key)).catch(unlessMissing);
    if (!file) return null;
    const { size } = await file.stat();
    const stream = createReadStream("", { fd: file, ...(range && { start: range.first, end: range.last }) });
    return { size, stream: readLater(stream) };
  }

  async delete(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }

  async move(from: string, to: string): Promise<void> {
    const path = await this.makeFolderOf(to);
    await rename(this.pathOf(from), path).catch(unlessMissing);
    await sync(dirname(path));
  }

  async *list(folder: string): AsyncGenerator<StoredFile> {
    const directory = join(this.directory, folder);
    const entries = await opendir(directory).catch(unlessMissing);
    if (!entries) return;
    for await (const { name } of entries) {
      const found = await stat(join(directory, name)).catch((error) => {
        if (isMissing(error)) return null; // The file was deleted after the directory was read.
        throw error;
      });
      if (found?.isFile()) yield { key: `${folder}/${name}`, size: found.size, storedAt: found.mtime };
    }
  }

  /** A start clears `incoming`. */
  async dropUnfinished(): Promise<void> {}

  private pathOf(key: string): string {
    return join(this.directory, checkKey(key));
  }

  private async makeFolderOf(key: string): Promise<string> {
    const path = this.pathOf(key);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return path;
  }
}

function unlessMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw storageRefusal(error);
}

async function sync(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
