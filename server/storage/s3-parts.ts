import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import type { WholeFile } from "./storage.ts";

interface Place {
  readonly Bucket: string;
  readonly Key: string;
}

/** Stores allow 10,000 parts, and at least 5 MB for each but the last. */
const maxParts = 9000;

/**
 * Uploads a file in parts, since one request may have 5 GB at most. Readers see nothing before all have come, and a
 * failure leaves no parts.
 */
export async function putInParts(
  client: S3Client,
  at: Place,
  { path, size }: Pick<WholeFile, "path" | "size">,
  { partBytes, requestTimeout }: { readonly partBytes: number; readonly requestTimeout: number },
): Promise<void> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(at));
  const upload = { ...at, UploadId };
  const length = Math.max(partBytes, Math.ceil(size / maxParts));
  try {
    const Parts: { readonly ETag: string | undefined; readonly PartNumber: number }[] = [];
    for (let start = 0; start < size; start += length) {
      const part = { start, end: Math.min(start + length, size) - 1 };
      const PartNumber = Parts.length + 1;
      const md5 = createHash("md5");
      await pipeline(createReadStream(path, part), md5);
      const { ETag } = await client.send(
        new UploadPartCommand({
          ...{ ...upload, PartNumber, ContentMD5: md5.digest("base64") },
          ...{ Body: createReadStream(path, part), ContentLength: part.end - part.start + 1 },
        }),
        { requestTimeout },
      );
      Parts.push({ ETag, PartNumber });
    }
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }), {
      requestTimeout,
    });
  } catch (error) {
    // The first error counts. A store that cannot be reached keeps the parts until they are dropped as leftovers.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {});
    throw error;
  }
}

/** Drops the parts of uploads that began earlier and were never finished, as a killed process leaves them. */
export async function dropParts(client: S3Client, Bucket: string, folder: string, before: Date): Promise<void> {
  let next: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | null = {};
  while (next) {
    const list = new ListMultipartUploadsCommand({ Bucket, Prefix: `${folder}/`, ...next });
    const page: ListMultipartUploadsCommandOutput = await client.send(list);
    const { Uploads = [], IsTruncated, NextKeyMarker, NextUploadIdMarker } = page;
    for (const { Key, UploadId, Initiated } of Uploads) {
      if (!Key || !Initiated || Initiated >= before) continue;
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    }
    next = IsTruncated ? { KeyMarker: NextKeyMarker, UploadIdMarker: NextUploadIdMarker } : null;
  }
}
