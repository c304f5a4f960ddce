import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import type { S3Config } from "#server/storage/s3.ts";

/** An S3-compatible store of its own on a free port, with one empty bucket. */
export async function openObjectStore(): Promise<S3Config & AsyncDisposable> {
  const directory = await mkdtemp(join(tmpdir(), "academy-s3-"));
  const bucket = "academy";
  const server = new S3rver({
    port: 0,
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
      await rm(directory, { recursive: true, force: true });
    },
  };
}
