import type { Pixels } from "./run-decoder.ts";

/** @throws Error when it is damaged; what `check` throws */
export async function decodeBmp(original: Buffer, check: (width: number, height: number) => void): Promise<Pixels> {
  const isOldest = original.readUInt32LE(14) === 12;
  if (isOldest) check(original.readUInt16LE(18), original.readUInt16LE(20));
  else check(original.readUInt32LE(18), Math.abs(original.readInt32LE(22)));
  const { decode } = await import("@cwasm/nsbmp");
  const { data, width, height } = decode(isOldest ? original : withoutLastLineEnd(original));
  return { data: Buffer.from(data.buffer), info: { width, height, channels: 4 } };
}

/** The decoder refuses compressed pictures that end their last line before they end the picture, as most do. */
function withoutLastLineEnd(original: Buffer): Buffer {
  const compression = original.readUInt32LE(30);
  const isRunLength = compression === 1 || compression === 2;
  const end = original.readUInt32LE(10) + original.readUInt32LE(34);
  if (!isRunLength || original.toString("hex", end - 4, end) !== "00000001") return original;
  return Buffer.concat([original.subarray(0, end - 4), Buffer.from([0, 1])]);
}
