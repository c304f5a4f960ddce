import { hash } from "node:crypto";
import { openAsBlob } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { AwsV4Signer } from "aws4fetch";
import { SECOND } from "#server/clock.ts";
import type { S3Config } from "#server/config.ts";
import { type ByteRange, checkKey, readLater, type Storage, type StoredFile } from "./storage.ts";
import { storageRefusal } from "./storage-refusal.ts";

/** A store answers within this, in milliseconds; the transfer of the content itself may take longer. */
const patience = 30 * SECOND;
const transferPatience = 600 * SECOND;

/** Files in a bucket of any store that speaks S3, by path-style addresses. The bucket exists already. */
export async function s3Storage(config: S3Config, incoming: string): Promise<Storage> {
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  const bucket = `${config.endpoint.replace(/\/$/, "")}/${config.bucket}`;

  /** One signed request. @throws Refusal unavailable for any answer that is neither a success nor 404. */
  async function send(
    method: string,
    url: string,
    more: { headers?: Record<string, string>; body?: Blob; patience?: number } = {},
  ): Promise<Response> {
    const { region, accessKeyId, secretAccessKey } = config;
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(), more.patience ?? patience);
    try {
      const signer = new AwsV4Signer({
        method,
        url,
        headers: { "x-amz-content-sha256": emptyHash, ...more.headers },
        service: "s3",
        region,
        accessKeyId,
        secretAccessKey,
      });
      const signed = await signer.sign();
      const response = await fetch(signed.url, {
        method,
        headers: signed.headers,
        body: more.body ?? null,
        redirect: "error",
        signal: waiting.signal,
      });
      if (response.ok || response.status === 404) return response;
      throw new Error(`the object store answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
    } catch (error) {
      throw storageRefusal(error);
    } finally {
      clearTimeout(timer);
    }
  }

  async function remove(key: string): Promise<void> {
    await (await send("DELETE", `${bucket}/${checkKey(key)}`)).arrayBuffer();
  }

  return {
    incoming,

    async put(key, content) {
      const isBytes = content instanceof Uint8Array;
      const body = isBytes ? new Blob([new Uint8Array(content)]) : await openAsBlob(content.path);
      const sha256 = isBytes ? hash("sha256", content) : content.sha256;
      const headers = { "x-amz-content-sha256": sha256 };
      try {
        const response = await send("PUT", `${bucket}/${checkKey(key)}`, { headers, body, patience: transferPatience });
        await response.arrayBuffer();
        if (!response.ok) throw storageRefusal(new Error(`there is no bucket ${config.bucket}`));
      } finally {
        if (!isBytes) await rm(content.path, { force: true });
      }
    },

    async read(key, range) {
      const headers = range && { range: `bytes=${range.first}-${range.last}` };
      const response = await send("GET", `${bucket}/${checkKey(key)}`, { ...(headers && { headers }) });
      if (response.ok && response.body) {
        const size = sizeOf(response, range);
        return { size, stream: readLater(Readable.fromWeb(response.body)) };
      }
      await response.arrayBuffer();
      return null;
    },

    delete: remove,

    async move(from, to) {
      const headers = { "x-amz-copy-source": `/${config.bucket}/${checkKey(from)}` };
      const response = await send("PUT", `${bucket}/${checkKey(to)}`, { headers, patience: transferPatience });
      const answer = await response.text();
      if (response.status === 404) return;
      // A copy that fails half way is told after the status line.
      if (!answer.includes("<CopyObjectResult"))
        throw storageRefusal(new Error(`a copy failed: ${answer.slice(0, 300)}`));
      await remove(from);
    },

    async *list(folder): AsyncGenerator<StoredFile> {
      for (let next: string | undefined = ""; next !== undefined; ) {
        const query = new URLSearchParams({ "list-type": "2", prefix: `${folder}/`, "continuation-token": next });
        if (!next) query.delete("continuation-token");
        const response = await send("GET", `${bucket}?${query}`);
        const text = await response.text();
        if (!response.ok) throw storageRefusal(new Error(`there is no bucket ${config.bucket}`));
        for (const [, entry = ""] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          const [key, size, storedAt] = ["Key", "Size", "LastModified"].map((name) => textOf(entry, name) ?? "");
          yield { key: key ?? "", size: Number(size), storedAt: new Date(storedAt ?? "") };
        }
        next = textOf(text, "NextContinuationToken");
      }
    },
  };
}

const emptyHash = hash("sha256", "");

/** Bytes of the whole content. A store that sends another part than the one asked for must not be believed. */
function sizeOf(response: Response, range: ByteRange | undefined): number {
  if (!range) return Number(response.headers.get("content-length"));
  const answered = response.headers.get("content-range") ?? "";
  const [sent, whole] = answered.split("/");
  if (sent === `bytes ${range.first}-${range.last}`) return Number(whole);
  throw storageRefusal(new Error(`the object store was asked for ${range.first}-${range.last} and sent ${answered}`));
}

/** The text of the first element of this name; keys and tokens of ours need no more of XML than its five entities. */
function textOf(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`)
    .exec(xml)?.[1]
    ?.replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
