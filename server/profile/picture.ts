import { readFile } from "node:fs/promises";
import type { Metadata, OutputInfo, Sharp } from "sharp";
import { Refusal } from "#server/base/refusal.ts";

const side = 512;
const mostPixels = 50_000_000;
/** Bytes, roughly, that decoding one picture may take. */
const memory = 100_000_000;

/** No format that follows links, runs code or lays out text. */
const readers = ["Jpeg", "Png", "Webp", "Nsgif", "Heif", "Tiff"].map((name) => `VipsForeignLoad${name}Buffer`);

/** Keeps nothing but the pixels. One picture at a time, for the sake of memory. @throws Refusal unreadable-image. */
export function makePicture(path: string): Promise<Buffer> {
  const made = turn.then(async () => convert(await readFile(path)));
  turn = made.catch(() => {});
  return made;
}

let turn: Promise<unknown> = Promise.resolve();

async function convert(original: Buffer): Promise<Buffer> {
  const sharp = await loadSharp();
  try {
    const options = { failOn: "error", limitInputPixels: mostPixels, animated: false } as const;
    const metadata = await sharp(original, options).metadata();
    if (metadata.width * metadata.height > memory / bytesForPixel(metadata)) throw new Error("exceeds pixel limit");
    const upright = await sharp(original, options)
      .timeout({ seconds: 10 })
      .autoOrient()
      .resize(4 * side, 4 * side, { fit: "inside", withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true });
    return await square(sharp(upright.data, { raw: upright.info }), upright.info);
  } catch (error) {
    const isLarge = error instanceof Error && /pixel limit|dimension/i.test(error.message);
    throw new Refusal(
      "unreadable-image",
      isLarge
        ? "The image has too many pixels. Please choose a smaller one."
        : "This file could not be read as an image. Please choose a JPEG, PNG, WebP, GIF, AVIF or TIFF picture.",
    );
  }
}

/** Cut before it is enlarged: a line one pixel high would become a giant. */
function square(image: Sharp, { width, height }: OutputInfo): Promise<Buffer> {
  const shortest = Math.min(width, height);
  const [left, top] = [width, height].map((length) => Math.floor((length - shortest) / 2)) as [number, number];
  return image
    .extract({ left, top, width: shortest, height: shortest })
    .resize(side, side)
    .webp({ quality: 82 })
    .toBuffer();
}

/** Formats that are read line by line need next to no memory. */
function bytesForPixel({ format, isProgressive, pages = 1 }: Metadata): number {
  if (format === "heif") return 20;
  return isProgressive || pages > 1 || format === "gif" || format === "tiff" ? 6 : 2;
}

let loading: Promise<typeof import("sharp").default> | undefined;

/** Loaded with the first picture: most processes never make one. */
function loadSharp(): Promise<typeof import("sharp").default> {
  loading ??= import("sharp").then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    sharp.block({ operation: ["VipsForeignLoad"] });
    sharp.unblock({ operation: readers });
    return sharp;
  });
  return loading;
}
