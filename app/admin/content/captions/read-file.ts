import { type CaptionFault, type Cue, isShown, readCaptions } from "#contract/captions.ts";

const maxMegabytes = 5;

type ReadFile = { cues: Cue[]; faults?: never } | { cues?: never; faults: CaptionFault[] };

/** The captions of a `.vtt` or `.srt` file, or what is wrong with it. */
export async function readFile(file: Blob): Promise<ReadFile> {
  if (file.size > maxMegabytes * 1024 * 1024) {
    return { faults: [{ line: 1, message: `This file is larger than ${maxMegabytes} MB.` }] };
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = decode(bytes);
  if (text === null) {
    const message = "This isn’t UTF-8. Save the file as UTF-8 and upload it again.";
    return { faults: [{ line: firstUndecodable(bytes), message }] };
  }
  const { cues, faults } = readCaptions(text);
  return faults.length > 0 ? { faults } : { cues: cues.filter(isShown) };
}

/** Null unless it is UTF-8, or UTF-16 with its mark. Zeros are a sign of UTF-16 without one. */
function decode(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

function firstUndecodable(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; start <= bytes.length; line++) {
    const end = bytes.indexOf(10, start);
    const part = bytes.subarray(start, end === -1 ? bytes.length : end);
    if (decode(part) === null) return line;
    if (end === -1) break;
    start = end + 1;
  }
  return 1;
}
