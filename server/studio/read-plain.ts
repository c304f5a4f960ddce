// Prints the facts of one uploaded MP4 file as a line of JSON. plain.ts starts it, with limits.
import { open } from "node:fs/promises";
import { FilePathSource, Input, MP4, QTFF } from "mediabunny";
import type { PlainFacts } from "./plain.ts";

/** Whether the boxes end where the file ends. */
async function isWhole(path: string): Promise<boolean> {
  const file = await open(path);
  const { size } = await file.stat();
  const head = Buffer.alloc(16);
  let at = 0;
  while (at < size) {
    const { bytesRead } = await file.read(head, 0, 16, at);
    const told = head.readUInt32BE(0);
    // 0: up to the end. 1: the size follows the box's name.
    if (bytesRead < 8 || told === 0) return bytesRead >= 8;
    const length = told === 1 ? Number(head.readBigUInt64BE(8)) : told;
    if (length < 8) return false;
    at += length;
  }
  return at === size;
}

const path = process.argv[2] ?? "";
const input = new Input({ formats: [MP4, QTFF], source: new FilePathSource(path) });
const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
const facts: PlainFacts = {
  video: video && { codec: video.codec, shortSide: Math.min(video.displayWidth, video.displayHeight) },
  audio: audio && { codec: audio.codec },
  seconds: await input.getDurationFromMetadata(),
  isWhole: await isWhole(path),
};
// Nobody reads the other channel.
process.stderr.write(`${JSON.stringify(facts)}\n`);
