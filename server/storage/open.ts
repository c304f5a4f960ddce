import { join } from "node:path";
import { diskStorage } from "./disk.ts";
import type { S3Config } from "./s3.ts";
import type { Storage } from "./storage.ts";

export async function openStorage(
  storage: "disk" | S3Config,
  files: string,
  incoming = join(files, "incoming"),
): Promise<Storage> {
  if (storage === "disk") return diskStorage(files, incoming);
  const { s3Storage } = await import("./s3.ts");
  return s3Storage(storage, incoming);
}
