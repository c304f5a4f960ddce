import type { ByteRange } from "#server/storage/storage.ts";

/** Null for the whole: no header, several ranges, or one that is not understood, as HTTP wants it. */
export function rangeOf(header: string | undefined, size: number): ByteRange | "unsatisfiable" | null {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return null;
  const first = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== "" && to !== "" && Number(to) < Number(from)) return null;
  return first >= size || last < first ? "unsatisfiable" : { first, last };
}
