import { createHash } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "#server/db/id.ts";
import type { Storage, WholeFile } from "./storage.ts";
import { storageRefusal } from "./storage-refusal.ts";

/**
 * Writes a stream to a file in `incoming`; null past `limit` bytes. A caller that does not `put` the file removes it.
 */
export async function receive(
  storage: Storage,
  stream: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<WholeFile | null> {
  const path = join(storage.incoming, newId());
  const refused = (error: unknown) => {
    throw storageRefusal(error);
  };
  const file = await open(path, "wx", 0o600).catch(refused);
  const sha256 = createHash("sha256");
  let size = 0;
  let isWhole = false;
  try {
    for await (const chunk of stream) {
      size += chunk.length;
      if (size > limit) return null;
      sha256.update(chunk);
      await file.writeFile(chunk).catch(refused);
    }
    isWhole = true;
  } finally {
    await file.close();
    if (!isWhole) await rm(path, { force: true });
  }
  return { path, size, sha256: sha256.digest("hex") };
}
