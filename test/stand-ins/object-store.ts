import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import type { S3Config } from "#server/storage/s3.ts";

/** An S3-compatible store with one empty bucket, on a free port, or with a given port and directory. */
export async function openObjectStore(kept?: { port: number; directory: string }): Promise<S3Config & AsyncDisposable> {
  const directory = kept?.directory ?? (await mkdtemp(join(tmpdir(), "academy-s3-")));
  const bucket = "academy";
  const server = new S3rver({
    port: kept?.port ?? 0,
    address: "127.0.0.1",
    silent: true,
    directory,
    resetOnClose: false,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await server.run();
  let isOpen = true;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    region: "us-east-1",
    accessKeyId: "S3RVER",
    secretAccessKey: "S3RVER",
    async [Symbol.asyncDispose]() {
      if (!isOpen) return;
      isOpen = false;
      await server.close();
      if (!kept) await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The environment variables of an academy whose files are in this store. */
export const storeEnv = (store: S3Config) => ({
  S3_ENDPOINT: store.endpoint,
  S3_BUCKET: store.bucket,
  S3_REGION: store.region,
  S3_ACCESS_KEY_ID: store.accessKeyId,
  S3_SECRET_ACCESS_KEY: store.secretAccessKey,
});
