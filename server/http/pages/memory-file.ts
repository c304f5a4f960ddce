import { createHash } from "node:crypto";
import { extname } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, brotliDecompressSync, constants, gzip, gzipSync } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

export interface MemoryFile {
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly codings: Codings;
}

/** Functions, because most encodings are made with the first request for them. */
export interface Codings {
  readonly identity: () => Buffer;
  /** Absent where compression does not make it smaller. */
  readonly br?: () => Buffer;
  readonly gzip?: () => Buffer;
}

const mimeTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
  ".xml": "application/xml",
  ".atom": "application/atom+xml; charset=utf-8",
};

/**
 * @param name gives the content type and the cache lifetime: files below `assets/` never change
 * @param bytes not kept
 */
export function memoryFile(
  name: string,
  bytes: Buffer,
  codings: Codings,
  headers: Readonly<Record<string, string>> = {},
): MemoryFile {
  const type = extname(name);
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  return {
    etag,
    codings,
    headers: {
      ...headers,
      etag,
      "content-type": mimeTypes[type] ?? "application/octet-stream",
      "cache-control": name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      ...(codings.br && { vary: type === ".html" ? "accept-encoding, cookie" : "accept-encoding" }),
    },
  };
}

/**
 * Keeps Brotli in memory, which nearly all browsers accept and which is a quarter of the size, and unpacks it for the
 * others.
 */
export function unpackOnDemand(br: Buffer): Codings {
  const identity = once(() => brotliDecompressSync(br));
  return { identity, br: () => br, gzip: once(() => gzipSync(identity())) };
}

/** Compresses fast for the first request; a result that is a tenth smaller replaces it once it is ready. */
export function compressOnDemand(bytes: Buffer): Codings {
  let br: Buffer | undefined;
  return {
    identity: () => bytes,
    br() {
      if (br) return br;
      br = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });
      void compressBest(bytes).then((best) => {
        br = best;
      });
      return br;
    },
    gzip: once(() => gzipSync(bytes)),
  };
}

/** For what is sent only once, to this request. In a thread, since other requests wait for this one. */
export async function compressOnce(request: FastifyRequest, bytes: Buffer): Promise<Codings> {
  const identity = () => bytes;
  if (doesAccept(request, "br")) {
    const br = await promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
    return { identity, br: () => br };
  }
  if (!doesAccept(request, "gzip")) return { identity };
  const gzipped = await promisify(gzip)(bytes);
  return { identity, gzip: () => gzipped };
}

function once(make: () => Buffer): () => Buffer {
  let made: Buffer | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** In a thread, as it takes a tenth of a second. */
const compressBest = (bytes: Buffer) =>
  promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });

/** A client refuses an encoding by weight 0. */
const accepts = {
  br: /(?:^|[,\s])br(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))\s*(?:[,;]|$)/,
  gzip: /(?:^|[,\s])gzip(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))\s*(?:[,;]|$)/,
} as const;

function doesAccept({ headers }: FastifyRequest, coding: keyof typeof accepts): boolean {
  return accepts[coding].test(headers["accept-encoding"] ?? "");
}

export function sendFile(request: FastifyRequest, reply: FastifyReply, file: MemoryFile): FastifyReply {
  const { codings } = file;
  const encoding = (["br", "gzip"] as const).find((coding) => codings[coding] && doesAccept(request, coding));
  reply.headers(file.headers);
  if (encoding) reply.header("content-encoding", encoding);
  if (reply.statusCode === 200 && request.headers["if-none-match"]?.includes(file.etag)) return reply.code(304).send();
  return reply.send((encoding ? codings[encoding] : undefined)?.() ?? codings.identity());
}
