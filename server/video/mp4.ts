/** Reads a part of the file; fewer bytes at its end. */
export type ReadPart = (from: number, length: number) => Promise<Uint8Array>;

interface Box {
  readonly type: string;
  /** Offsets of its content and of the next box. */
  readonly content: number;
  readonly end: number;
}

/** Files have a handful of boxes; one with more is no video, or was made to keep us reading. */
const maxBoxes = 64;

/**
 * The duration of an MP4 by its movie header (ISO/IEC 14496-12, `moov` › `mvhd`); null without one, as in a file that
 * is still being written. Reads a few hundred bytes of a file of any size.
 */
export async function secondsOfMp4(read: ReadPart): Promise<number | null> {
  const movie = await findBox(read, "moov", 0, Number.POSITIVE_INFINITY);
  const header = movie && (await findBox(read, "mvhd", movie.content, movie.end));
  return header ? secondsOf(await read(header.content, 32)) : null;
}

async function findBox(read: ReadPart, type: string, from: number, end: number): Promise<Box | null> {
  let at = from;
  for (let boxes = 0; boxes < maxBoxes && at < end; boxes += 1) {
    const box = boxOf(await read(at, 16), at, end);
    if (!box || box.type === type) return box;
    at = box.end;
  }
  return null;
}

/** Null when there is no box, which ends the search. */
function boxOf(bytes: Uint8Array, at: number, end: number): Box | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 8) return null;
  const type = Buffer.from(bytes.subarray(4, 8)).toString("latin1");
  const short = view.getUint32(0);
  // Size 0 means until the end of the file, 1 that the size follows in 64 bits.
  if (short === 0) return { type, content: at + 8, end };
  if (short !== 1) return short < 8 ? null : { type, content: at + 8, end: at + short };
  if (view.byteLength < 16) return null;
  const long = Number(view.getBigUint64(8));
  return long < 16 || !Number.isSafeInteger(long) ? null : { type, content: at + 16, end: at + long };
}

function secondsOf(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLong = view.byteLength > 0 && view.getUint8(0) === 1;
  if (view.byteLength < (isLong ? 32 : 20)) return null;
  const units = view.getUint32(isLong ? 20 : 12);
  const duration = isLong ? view.getBigUint64(24) : BigInt(view.getUint32(16));
  const isUnknown = duration === (isLong ? 0xffff_ffff_ffff_ffffn : 0xffff_ffffn);
  const seconds = Number(duration) / units;
  return isUnknown || units === 0 || seconds <= 0 || seconds > 86_400 ? null : seconds;
}
