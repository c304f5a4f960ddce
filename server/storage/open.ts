import { join } from "node:path";
import type { Config } from "#server/context/config.ts";
import { diskStorage } from "./disk.ts";
import type { Storage } from "./storage.ts";

/** The object store when one is configured, else the directory of files. */
export async function openStorage(
  storage: Config["storage"],
  files: string,
  incoming = join(files, "incoming"),
): Promise<Storage> {
  if (storage === "disk") return diskStorage(files, incoming);
  const { s3Storage } = await import("./s3.ts");
  return s3Storage(storage, incoming);
}
