// Decodes one picture of a user. run-decoder.ts starts it, with limits on time and memory.
import { readFile } from "node:fs/promises";
import { Socket } from "node:net";
import sharp, { type Sharp } from "sharp";
import { decodeBmp } from "./bmp.ts";
import { decodeHeic } from "./heic.ts";
import type { Fault, Format, Head, Pixels, Task } from "./run-decoder.ts";

const maxPixels = 50_000_000;
const options = { failOn: "error", limitInputPixels: maxPixels, animated: false } as const;

/** Formats that run no code and follow no links: librsvg loads nothing for a drawing that comes without an address. */
const readers = ["Jpeg", "Png", "Webp", "Nsgif", "Heif", "Tiff", "Svg"].map((name) => `VipsForeignLoad${name}Buffer`);

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
    const image = await open(original, format);
    const { data, info } = await image
      .autoOrient()
      .resize(longestSide, longestSide, { fit: "inside", withoutEnlargement: format !== "svg" })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    return { head: { width, height, channels }, data };
  } catch (error) {
    return { head: faultOf(error as Error, format) };
  }
}

async function recognize(original: Buffer): Promise<Format> {
  if (original.toString("latin1", 0, 2) === "BM") return "bmp";
  const { format, compression } = await sharp(original, options).metadata();
  if (format === "heif") return compression === "av1" ? "avif" : "heic";
  return format as Format;
}

async function open(original: Buffer, format: Format): Promise<Sharp> {
  if (format === "bmp") return fromPixels(await decodeBmp(original, requirePixels));
  if (format === "heic") return fromPixels(await decodeHeic(original, requirePixels));
  return sharp(original, options);
}

function fromPixels({ data, info }: Pixels): Sharp {
  return sharp(data, { raw: info });
}

/** For decoders without a limit of their own. @throws Error like sharp's */
function requirePixels(width: number, height: number): void {
  if (width * height > maxPixels) throw new Error("Input image exceeds pixel limit");
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
