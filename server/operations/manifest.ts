import { createHash } from "node:crypto";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { ArchiveDamaged, readArchive } from "./archive.ts";

/** The last file of a backup. */
export const Manifest = z.object({
  /** Of the backup's layout: only a release that knows it can restore it. */
  format: z.literal(1),
  version: z.string(),
  /** When the snapshot of the rows was taken. */
  madeAt: z.iso.datetime(),
  postgres: z.string(),
  migrations: z.array(z.string()),
  /** Each after the tables that it refers to. */
  tables: z.array(z.object({ name: z.string(), rows: z.int(), fingerprint: z.string() })),
  files: z.array(z.object({ name: z.string(), size: z.int(), sha256: z.string() })),
  /** Files that rows name and the store did not have. */
  missing: z.array(z.string()),
});
export type Manifest = z.infer<typeof Manifest>;

export const manifestName = "manifest.json";

/** @throws ArchiveDamaged unless every file of the archive has the checksum that the manifest names. */
export async function readManifest(path: string): Promise<Manifest> {
  const hashes = new Map<string, string>();
  let read: ReturnType<typeof Manifest.safeParse> | undefined;
  for await (const { name, content } of readArchive(path)) {
    if (name === manifestName) read = Manifest.safeParse(await json(content).catch(() => null));
    else hashes.set(name, await hashOf(content));
  }
  if (!read?.success) throw new ArchiveDamaged("its manifest is not one that this academy knows");
  const manifest = read.data;
  if (manifest.files.map(({ name }) => name).join("\n") !== [...hashes.keys()].join("\n")) {
    throw new ArchiveDamaged("it does not hold the files that its manifest names");
  }
  for (const { name, sha256 } of manifest.files) {
    if (hashes.get(name) !== sha256) throw new ArchiveDamaged(`${name} is not what was written`);
  }
  return manifest;
}

export async function hashOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const sha256 = createHash("sha256");
  for await (const chunk of stream) sha256.update(chunk);
  return sha256.digest("hex");
}
