import { createReadStream } from "node:fs";
import { mkdir, open, opendir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { newId } from "#server/db/id.ts";
import { checkKey, readLater, type Storage, type StoredFile } from "./storage.ts";
import { isMissing, storageRefusal } from "./storage-refusal.ts";

/** Files below a directory of this machine, one folder a kind. Made when it is absent; `incoming` lies on the same disk. */
export async function diskStorage(directory: string, incoming = join(directory, "incoming")): Promise<Storage> {
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  const pathOf = (key: string) => join(directory, checkKey(key));

  async function move(from: string, key: string): Promise<void> {
    const path = pathOf(key);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await sync(from);
    await rename(from, path);
    await sync(dirname(path));
  }

  return {
    incoming,

    async put(key, content) {
      checkKey(key);
      const isBytes = content instanceof Uint8Array;
      const path = isBytes ? join(incoming, newId()) : content.path;
      try {
        if (isBytes) await writeFile(path, content, { mode: 0o600 });
        await move(path, key);
      } catch (error) {
        throw storageRefusal(error);
      } finally {
        await rm(path, { force: true });
      }
    },

    async read(key, range) {
      const file = await open(pathOf(key)).catch((error) => {
        if (isMissing(error)) return null;
        throw storageRefusal(error);
      });
      if (!file) return null;
      const { size } = await file.stat();
      const stream = createReadStream("", { fd: file, ...(range && { start: range.first, end: range.last }) });
      return { size, stream: readLater(stream) };
    },

    async delete(key) {
      await rm(pathOf(key), { force: true });
    },

    async move(from, to) {
      const path = pathOf(to);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(pathOf(from), path).catch((error) => {
        if (!isMissing(error)) throw storageRefusal(error);
      });
      await sync(dirname(path));
    },

    async *list(folder): AsyncGenerator<StoredFile> {
      const directoryOf = join(directory, folder);
      const entries = await opendir(directoryOf).catch((error) => {
        if (isMissing(error)) return null;
        throw storageRefusal(error);
      });
      if (!entries) return;
      for await (const { name } of entries) {
        const found = await stat(join(directoryOf, name)).catch((error) => {
          if (isMissing(error)) return null; // Deleted since the directory was read.
          throw error;
        });
        if (found?.isFile()) yield { key: `${folder}/${name}`, size: found.size, storedAt: found.mtime };
      }
    },
  };
}

/** Brings a file, or the names in a directory, to the platter. */
async function sync(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
