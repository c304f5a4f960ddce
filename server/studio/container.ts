import { open } from "node:fs/promises";

/** The demuxer of ffmpeg for a file, by its first bytes: no other is ever tried, so that a playlist or a script that is
 * called `.mp4` opens nothing. Null: the academy doesn't convert such files. */
export function demuxerOf(head: Uint8Array): "mov" | "matroska" | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, 12));
  if (bytes.toString("latin1", 4, 8) === "ftyp") return "mov";
  return bytes.toString("hex", 0, 4) === "1a45dfa3" ? "matroska" : null;
}

/** Bytes that `demuxerOf` needs. */
export const headBytes = 12;

export const noVideoFile = "This isn’t a video that we can read. Upload an MP4, MOV, MKV or WebM file.";

/** The first bytes of a file, at most so many. */
export async function readStart(path: string, bytes: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
