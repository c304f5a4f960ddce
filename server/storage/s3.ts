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
import { SECOND } from "#server/base/clock.ts";
import { receive } from "./receive.ts";
import { dropParts, putInParts } from "./s3-parts.ts";
import {
  type ByteRange,
  checkKey,
  readLater,
  type Storage,
  type StoredContent,
  type StoredFile,
  type WholeFile,
} from "./storage.ts";
import { storageRefusal } from "./storage-refusal.ts";

export interface S3Config {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Milliseconds until the first byte; a transfer may take longer. */
const responseTimeout = 30 * SECOND;
const transfer = { requestTimeout: 600 * SECOND };

/** Bytes. A larger file is uploaded in parts of this size. */
const partBytes = 100_000_000;

/** What stores answer to a copy of more than 5 GB. */
const tooLarge: ReadonlySet<string> = new Set(["InvalidRequest", "EntityTooLarge"]);

/** Uses path-style addresses, which every S3-compatible store supports. The bucket must exist. */
export async function s3Storage(config: S3Config, incoming: string, parts = partBytes): Promise<Storage> {
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  return new S3Storage(clientFor(config), config.bucket, incoming, parts);
}

function clientFor({ endpoint, region, accessKeyId, secretAccessKey }: S3Config): S3Client {
  return new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    // Other stores than Amazon's do not support its newer checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // Enough connections that students who download slowly keep nobody else waiting.
    requestHandler: {
      requestTimeout: responseTimeout,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: Infinity },
      httpsAgent: { maxSockets: Infinity },
    },
  });
}

class S3Storage implements Storage {
  readonly incoming: string;
  private readonly client: S3Client;
  private readonly bucket: string;
  private readonly partBytes: number;

  constructor(client: S3Client, bucket: string, incoming: string, partBytes: number) {
    this.client = client;
    this.bucket = bucket;
    this.incoming = incoming;
    this.partBytes = partBytes;
  }

  async put(key: string, content: Uint8Array | WholeFile): Promise<void> {
    if (content instanceof Uint8Array) {
      await this.client.send(new PutObjectCommand({ ...this.at(key), Body: content }), transfer).catch(refuse);
      return;
    }
    try {
      await this.putFile(key, content).catch(refuse);
    } finally {
      await rm(content.path, { force: true });
    }
  }

  private async putFile(key: string, file: WholeFile): Promise<void> {
    if (file.size > this.partBytes) {
      return putInParts(this.client, this.at(key), file, { ...transfer, partBytes: this.partBytes });
    }
    const object = {
      Body: createReadStream(file.path),
      ContentLength: file.size,
      ChecksumSHA256: Buffer.from(file.sha256, "hex").toString("base64"),
    };
    await this.client.send(new PutObjectCommand({ ...this.at(key), ...object }), transfer);
  }

  async read(key: string, range?: ByteRange): Promise<StoredContent | null> {
    const Range = range && `bytes=${range.first}-${range.last}`;
    const found = await this.client.send(new GetObjectCommand({ ...this.at(key), Range })).catch(unlessAbsent);
    if (!found) return null;
    return { size: sizeOf(found, range), stream: readLater(found.Body as Readable) };
  }

  async delete(key: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand(this.at(key))).catch(refuse);
  }

  async move(from: string, to: string): Promise<void> {
    const copy = new CopyObjectCommand({ ...this.at(to), CopySource: `${this.bucket}/${checkKey(from)}` });
    const isThere = await this.client.send(copy, transfer).then(
      () => true,
      (error: Error) => (tooLarge.has(error.name) ? this.copyByHand(from, to) : unlessAbsent(error) !== null),
    );
    if (isThere) await this.delete(from);
  }

  private async copyByHand(from: string, to: string): Promise<boolean> {
    const stored = await this.read(from);
    const file = stored && (await receive(this, stored.stream, stored.size));
    if (file) await this.put(to, file);
    return file !== null;
  }

  async *list(folder: string): AsyncGenerator<StoredFile> {
    const pages = paginateListObjectsV2({ client: this.client }, { Bucket: this.bucket, Prefix: `${folder}/` });
    try {
      for await (const { Contents = [] } of pages) {
        for (const { Key = "", Size = 0, LastModified = new Date(0) } of Contents) {
          yield { key: Key, size: Size, storedAt: LastModified };
        }
      }
    } catch (error) {
      throw storageRefusal(error);
    }
  }

  async dropUnfinished(folder: string, before: Date): Promise<void> {
    await dropParts(this.client, this.bucket, folder, before).catch(refuse);
  }

  private at(key: string) {
    return { Bucket: this.bucket, Key: checkKey(key) };
  }
}

function refuse(error: unknown): never {
  throw storageRefusal(error);
}

function unlessAbsent(error: unknown): null {
  return (error as Error).name === "NoSuchKey" ? null : refuse(error);
}

/** The size of the whole object. @throws when the store sent another range than the one asked for */
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
