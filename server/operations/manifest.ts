import { createHash } from "node:crypto";
import { z } from "zod";
import { isKey } from "#server/storage/storage.ts";
import { ArchiveDamaged, type ArchiveSource, readArchive } from "./archive.ts";

/** The manifest, which is the last file of a backup. */
export const Manifest = z.object({
  /** The version of the backup's layout. */
  format: z.literal(1),
  version: z.string(),
  /** The instant of the snapshot of the rows. */
  madeAt: z.iso.datetime(),
  postgres: z.string(),
  migrations: z.array(z.string()),
  /** Ordered so that each table follows those that it references. */
  tables: z.array(z.object({ name: z.string(), rows: z.int(), fingerprint: z.string() })),
  files: z.array(z.object({ name: z.string(), size: z.int(), sha256: z.string() })),
  /** Videos, whose copies are beside the archive. */
  videos: z
    .array(
      z.object({
        key: z.string().refine((key) => isKey(key) && key.startsWith("videos/")),
        name: z.string(),
        size: z.int(),
        sha256: z.string(),
      }),
    )
    .default([]),
  /** Files that rows name and the store lacked. */
  missing: z.array(z.string()),
});
export type Manifest = z.infer<typeof Manifest>;

export const manifestName = "manifest.json";

/** @throws ArchiveDamaged unless every file of the archive has the checksum of the manifest */
export async function readManifest(source: ArchiveSource): Promise<Manifest> {
  const hashes = new Map<string, string>();
  let read: ReturnType<typeof Manifest.safeParse> | undefined;
  for await (const { name, content } of readArchive(source)) {
    if (name === manifestName) read = Manifest.safeParse(await readJson(content));
    else if (isKnown(name)) hashes.set(name, await hashOf(content));
    else throw new ArchiveDamaged(`it holds ${JSON.stringify(name.slice(0, 100))}, which no backup has`);
  }
  if (!read?.success) throw new ArchiveDamaged("its manifest is not one that this academy knows");
  const manifest = read.data;
  const { migrations } = manifest;
  if (migrations.join() !== [...new Set(migrations)].sort().join()) {
    throw new ArchiveDamaged("its migrations are in an order that no release has");
  }
  if (manifest.files.map(({ name }) => name).join("\n") !== [...hashes.keys()].join("\n")) {
    throw new ArchiveDamaged("it does not hold the files that its manifest names");
  }
  for (const { name, sha256 } of manifest.files) {
    if (hashes.get(name) !== sha256) throw new ArchiveDamaged(`${name} is not what was written`);
  }
  return manifest;
}

/** A crafted archive must not name files outside of the expected folders. */
function isKnown(name: string): boolean {
  return (
    /^rows\/[\w."]+\.\d+\.json\.gz$/.test(name) ||
    /^(secrets|sandbox)\/\w[\w.-]*$/.test(name) ||
    isKey(/^files\/(.*)$/s.exec(name)?.[1] ?? "")
  );
}

/** Room for millions of files. */
const maxManifestBytes = 512 * 1024 ** 2;

async function readJson(content: AsyncIterable<Uint8Array>): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > maxManifestBytes) return null;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return null;
  }
}

export async function hashOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const sha256 = createHash("sha256");
  for await (const chunk of stream) sha256.update(chunk);
  return sha256.digest("hex");
}
