import { join } from "node:path";
import { diskStorage } from "./disk.ts";
import type { S3Config } from "./s3.ts";
import type { Storage } from "./storage.ts";

/** The object store when one is configured, else the directory of files. */
export async function openStorage(
  storage: "disk" | S3Config,
  files: string,
  incoming = join(files, "incoming"),
): Promise<Storage> {
  if (storage === "disk") return diskStorage(files, incoming);
  const { s3Storage } = await import("./s3.ts");
  return s3Storage(storage, incoming);
}
