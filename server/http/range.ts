import type { FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "#server/base/refusal.ts";
import type { ByteRange } from "#server/storage/storage.ts";

interface RangedFile {
  /** Bytes. */
  readonly size: number;
  readonly etag: string;
}

/** The part of the file that the request asks for; null: all of it. @throws Refusal range-not-satisfiable. */
export function requestedRange(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { size, etag }: RangedFile,
): ByteRange | null {
  const ifRange = headers["if-range"];
  const range = rangeOf(ifRange === undefined || ifRange === etag ? headers.range : undefined, size);
  if (range !== "unsatisfiable") return range;
  reply.header("content-range", `bytes */${size}`);
  throw new Refusal("range-not-satisfiable", "The file doesn't have the part that was asked for.");
}

/** Sets the status and the headers of a reply with that part of the file. */
export function describeRange(reply: FastifyReply, range: ByteRange | null, { size, etag }: RangedFile): void {
  const length = range ? range.last - range.first + 1 : size;
  reply.headers({ "content-length": length, "accept-ranges": "bytes", etag });
  if (range) reply.code(206).header("content-range", `bytes ${range.first}-${range.last}/${size}`);
}

/**
 * Null means the whole file: without a header, for several ranges, and for a header that cannot be parsed (RFC 9110).
 * @internal
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | "unsatisfiable" | null {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return null;
  const first = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== "" && to !== "" && Number(to) < Number(from)) return null;
  return first >= size || last < first ? "unsatisfiable" : { first, last };
}
