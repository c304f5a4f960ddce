import type { Metadata, OutputInfo } from "sharp";
import { Refusal } from "#server/base/refusal.ts";

const maxPixels = 50_000_000;
/** The memory that decoding one picture may take, in bytes. */
const memory = 100_000_000;

/** Formats that follow no links, run no code and lay out no text. */
const readers = ["Jpeg", "Png", "Webp", "Nsgif", "Heif", "Tiff"].map((name) => `VipsForeignLoad${name}Buffer`);

export type Format = "jpeg" | "png" | "webp" | "gif" | "heif" | "tiff";

/** Raw pixels, of four bytes each where some are transparent. */
export interface Pixels {
  readonly data: Buffer;
  readonly info: OutputInfo;
}

interface Wanted {
  /** Pixels of the longest side, to which a larger picture is scaled down. */
  readonly longestSide: number;
  readonly formats?: readonly Format[];
  /** The advice to the person when the picture cannot be used. */
  readonly instead: string;
}

/** Decodes a picture to upright pixels, without metadata. @throws Refusal unreadable-image. */
export async function decodeImage(original: Buffer, { longestSide, formats, instead }: Wanted): Promise<Pixels> {
  const sharp = await loadSharp();
  try {
    const options = { failOn: "error", limitInputPixels: maxPixels, animated: false } as const;
    const metadata = await sharp(original, options).metadata();
    if (formats && !formats.includes(metadata.format as Format)) throw new Error("another format");
    if (metadata.width * metadata.height > memory / bytesForPixel(metadata)) throw new Error("exceeds pixel limit");
    return await sharp(original, options)
      .timeout({ seconds: 10 })
      .autoOrient()
      .resize(longestSide, longestSide, { fit: "inside", withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true });
  } catch (error) {
    const isLarge = error instanceof Error && /pixel limit|dimension/i.test(error.message);
    throw new Refusal(
      "unreadable-image",
      isLarge
        ? "The image has too many pixels. Please choose a smaller one."
        : `This file could not be read as an image. Please choose ${instead}.`,
    );
  }
}

/** Memory for each pixel; formats that are decoded line by line need next to none. */
function bytesForPixel({ format, isProgressive, pages = 1 }: Metadata): number {
  if (format === "heif") return 20;
  return isProgressive || pages > 1 || format === "gif" || format === "tiff" ? 6 : 2;
}

let loading: Promise<typeof import("sharp").default> | undefined;

/** Loads the library with the first picture, to save memory until then. */
export function loadSharp(): Promise<typeof import("sharp").default> {
  loading ??= import("sharp").then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    sharp.block({ operation: ["VipsForeignLoad"] });
    sharp.unblock({ operation: readers });
    return sharp;
  });
  return loading;
}

/** At most one waiting task for each upload in flight, 210, whose files are on the disk. */
let turn: Promise<unknown> = Promise.resolve();

/** Runs one task at a time, to limit memory. */
export function inTurn<Made>(make: () => Promise<Made>): Promise<Made> {
  const made = turn.then(make);
  turn = made.catch(() => {});
  return made;
}
