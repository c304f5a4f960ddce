import { createReadStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from "@aws-sdk/client-s3";
import { SECOND } from "#server/clock.ts";
import type { S3Config } from "#server/config.ts";
import { type ByteRange, checkKey, readLater, type Storage, type StoredFile } from "./storage.ts";
import { storageRefusal } from "./storage-refusal.ts";

/** A store answers within this, in milliseconds; the transfer of the content itself may take longer. */
const patience = 30 * SECOND;
const transfer = { requestTimeout: 600 * SECOND };

/** Files in a bucket of any store that speaks S3, by path-style addresses. The bucket exists already. */
export async function s3Storage(config: S3Config, incoming: string): Promise<Storage> {
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  const { endpoint, region, bucket: Bucket, accessKeyId, secretAccessKey } = config;
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    // Stores other than Amazon's know none of its newer checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // A student who reads slowly holds a connection, and must not keep others from theirs.
    requestHandler: {
      requestTimeout: patience,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: Infinity },
      httpsAgent: { maxSockets: Infinity },
    },
  });
  const refuse = (error: unknown): never => {
    throw storageRefusal(error);
  };
  const unlessAbsent = (error: unknown): null => ((error as Error).name === "NoSuchKey" ? null : refuse(error));

  async function remove(key: string): Promise<void> {
    await client.send(new DeleteObjectCommand({ Bucket, Key: checkKey(key) })).catch(refuse);
  }

  return {
    incoming,

    async put(key, content) {
      const isBytes = content instanceof Uint8Array;
      const object = isBytes
        ? { Body: content }
        : {
            Body: createReadStream(content.path),
            ContentLength: content.size,
            ChecksumSHA256: Buffer.from(content.sha256, "hex").toString("base64"),
          };
      try {
        await client.send(new PutObjectCommand({ Bucket, Key: checkKey(key), ...object }), transfer).catch(refuse);
      } finally {
        if (!isBytes) await rm(content.path, { force: true });
      }
    },

    async read(key, range) {
      const Range = range && `bytes=${range.first}-${range.last}`;
      const found = await client.send(new GetObjectCommand({ Bucket, Key: checkKey(key), Range })).catch(unlessAbsent);
      if (!found) return null;
      return { size: sizeOf(found, range), stream: readLater(found.Body as Readable) };
    },

    delete: remove,

    async move(from, to) {
      const copy = new CopyObjectCommand({ Bucket, Key: checkKey(to), CopySource: `${Bucket}/${checkKey(from)}` });
      if (await client.send(copy, transfer).catch(unlessAbsent)) await remove(from);
    },

    async *list(folder): AsyncGenerator<StoredFile> {
      const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: `${folder}/` });
      try {
        for await (const { Contents = [] } of pages) {
          for (const { Key = "", Size = 0, LastModified = new Date(0) } of Contents) {
            yield { key: Key, size: Size, storedAt: LastModified };
          }
        }
      } catch (error) {
        throw storageRefusal(error);
      }
    },
  };
}

/** Bytes of the whole content. A store that sends another part than the one asked for must not be believed. */
function sizeOf(
  { ContentLength, ContentRange = "" }: { ContentLength?: number | undefined; ContentRange?: string | undefined },
  range: ByteRange | undefined,
): number {
  if (!range) return Number(ContentLength);
  const [sent, whole] = ContentRange.split("/");
  if (sent === `bytes ${range.first}-${range.last}`) return Number(whole);
  throw storageRefusal(
    new Error(`the object store was asked for ${range.first}-${range.last} and sent ${ContentRange}`),
  );
}
