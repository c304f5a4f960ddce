import type { ByteRange } from "#server/storage/storage.ts";

/**
 * Null means the whole file: without a header, for several ranges, and for a header that cannot be parsed (RFC 9110).
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | "unsatisfiable" | null {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return null;
  const first = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== "" && to !== "" && Number(to) < Number(from)) return null;
  return first >= size || last < first ? "unsatisfiable" : { first, last };
}
