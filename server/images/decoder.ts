// Decodes one picture of a user. decoder-process.ts starts it, with limits on time and memory.
import { readFile } from "node:fs/promises";
import { Socket } from "node:net";
import sharp from "sharp";
import type { Fault, Format, Head, Task } from "./decoder-process.ts";

const maxPixels = 50_000_000;
const options = { failOn: "error", limitInputPixels: maxPixels, animated: false } as const;

/** Formats that follow no links, run no code and lay out no text. */
const readers = ["Jpeg", "Png", "Webp", "Nsgif", "Heif", "Tiff"].map((name) => `VipsForeignLoad${name}Buffer`);

interface Reply {
  readonly head: Head;
  readonly data?: Buffer;
}

async function decode({ path, longestSide, formats }: Task): Promise<Reply> {
  const original = await readFile(path);
  let format: Format | undefined;
  try {
    format = await recognize(original);
    if (formats && !formats.includes(format)) return { head: { fault: "another format", format } };
    const { data, info } = await sharp(original, options)
      .autoOrient()
      .resize(longestSide, longestSide, { fit: "inside", withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    return { head: { width, height, channels }, data };
  } catch (error) {
    return { head: faultOf(error as Error, format) };
  }
}

async function recognize(original: Buffer): Promise<Format> {
  const { format } = await sharp(original, options).metadata();
  return format === "heif" ? "avif" : (format as Format);
}

function faultOf({ message }: Error, format: Format | undefined): Fault {
  if (/pixel limit|dimension/i.test(message)) return { fault: "pixels" };
  if (/memory|allocat|\bOOM\b/i.test(message)) return { fault: "memory" };
  return format ? { fault: "damaged", format } : { fault: "unreadable" };
}

// A service manager that stops the academy signals its decoders too, while the academy completes what is in progress.
process.on("SIGTERM", () => {});
sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: readers });
const { head, data } = await decode(JSON.parse(process.argv[2] ?? "") as Task);
// On a channel of its own, as libraries print to the others.
const channel = new Socket({ fd: 3 });
channel.write(`${JSON.stringify(head)}\n`);
channel.end(data ?? "");
