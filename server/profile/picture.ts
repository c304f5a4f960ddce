import { decodeImage, inTurn, loadSharp, type Pixels } from "#server/images/decode.ts";

const side = 512;
const instead = "a JPEG, PNG, WebP, GIF, AVIF, HEIC, SVG, BMP or TIFF picture";

/** Keeps only the pixels, and no metadata. @throws Refusal unreadable-image. */
export function makePicture(path: string): Promise<Buffer> {
  return inTurn(async () => square(await decodeImage(path, { longestSide: 4 * side, instead })));
}

/** Crops before it resizes: an image one pixel high would become huge otherwise. */
async function square({ data, info }: Pixels): Promise<Buffer> {
  const sharp = await loadSharp();
  const { width, height } = info;
  const shortest = Math.min(width, height);
  const [left, top] = [width, height].map((length) => Math.floor((length - shortest) / 2)) as [number, number];
  return sharp(data, { raw: info })
    .extract({ left, top, width: shortest, height: shortest })
    .resize(side, side)
    .webp({ quality: 82 })
    .toBuffer();
}
