import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { OverlayOptions } from "sharp";
import { socialImage } from "#content/site.ts";
import { type Colors, paletteOf } from "#contract/branding.ts";
import { inTurn, loadSharp } from "#server/images/decode.ts";
import { wideFont as anyFontFile, findFont } from "#server/images/fonts.ts";

/**
 * The picture that other sites show for a link to the academy. It has nothing that could be false of another academy.
 */
export interface SocialImage {
  readonly name: string;
  readonly colors: Colors;
  /** The id of the logo's picture; null: the name only. */
  readonly logo: string | null;
  /** Above the name. */
  readonly heading?: string;
}

/** Increment it when the drawing changes, so that caches drop the old one. */
const version = 2;

/** The same key for the same image. Addresses with another key redirect to the current image. */
export function socialImageKey(image: SocialImage): string {
  const { brand } = image.colors;
  return createHash("sha256")
    .update(JSON.stringify([version, image.name, brand, image.logo]))
    .digest("hex")
    .slice(0, 16);
}

const canvas = "#f6f4ee";
const rail = "#17150f";
const railInk = "#f6f4ee";
const margin = 72;
const footer = 108;
/** Padding around the name on the brand colour. */
const padding = { x: 36, y: 28 };

/** Draws a PNG. @param logo the logo's picture @param host of the academy */
export function drawSocialImage(image: SocialImage, logo: Buffer | null, host: string): Promise<Buffer> {
  return inTurn(async () => {
    const { width, height } = socialImage;
    const { tag } = paletteOf(image.colors).light;
    const sharp = await loadSharp();
    const logoBox = { width: 420, height: 120 };
    const sign = logo && (await sharp(logo).resize(logoBox.width, logoBox.height, { fit: "inside" }).png().toBuffer());
    const heading = image.heading && (await writeText(image.heading, rail, { width: 560, height: 72 }));
    const top = sign ? 236 : heading ? 188 : 60;
    const room = { width: width - 2 * margin - 2 * padding.x, height: height - footer - top - 44 - 2 * padding.y };
    const name = await writeText(image.name, tag.ink, room);
    const address = await writeText(host, railInk, { width: width - 2 * margin, height: 34 });
    const nameTop = Math.round(top + padding.y + (room.height - name.height) / 2);
    const layers: OverlayOptions[] = [
      ...(sign ? [{ input: sign, left: margin, top: 60 }] : []),
      ...(heading ? [{ input: heading.png, left: sign ? width - margin - heading.width : margin, top: 72 }] : []),
      {
        input: block(name.width + 2 * padding.x, name.height + 2 * padding.y, tag.ground),
        left: margin,
        top: nameTop - padding.y,
      },
      { input: name.png, left: margin + padding.x, top: nameTop },
      { input: block(width, footer, rail), left: 0, top: height - footer },
      { input: block(16, footer, tag.ground), left: 0, top: height - footer },
      { input: address.png, left: margin, top: Math.round(height - footer / 2 - address.height / 2) },
    ];
    return sharp(block(width, height, canvas))
      .composite(layers)
      .png({ compressionLevel: 9, palette: sign === null })
      .toBuffer();
  });
}

function block(width: number, height: number, background: string) {
  return { create: { width, height, channels: 3 as const, background } };
}

interface Written {
  readonly png: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Text as large as fits the box, up to the size of a headline. */
async function writeText(text: string, color: string, box: { width: number; height: number }): Promise<Written> {
  const sharp = await loadSharp();
  const { font, fontfile } = isLatin(text) ? wideFont : anyFont;
  if (!isLatin(text)) await addFonts(text);
  const attributes = `foreground="${color}" letter_spacing="-2048"`;
  const markup = `<span ${attributes}>${escapeMarkup(text)}</span>`;
  for (const size of [132, 112, 96, 80, 68, 56, 46, 38, 30, 24]) {
    const options = {
      text: markup,
      font: `${font} ${size}`,
      dpi: 72,
      fontfile,
      rgba: true,
      wrap: "word-char" as const,
    };
    const { data, info } = await sharp({ text: { ...options, width: box.width } })
      .png()
      .toBuffer({ resolveWithObject: true });
    const words = Math.max(...text.split(/\s+/).map((word) => word.length));
    const breaksWords = words * size * 0.62 > box.width;
    if (info.height <= box.height && info.width <= box.width && (!breaksWords || size <= 38)) {
      return { png: data, width: info.width, height: info.height };
    }
  }
  const { data, info } = await sharp({ text: { text: markup, font, fontfile, ...box, rgba: true, wrap: "word-char" } })
    .png()
    .toBuffer({ resolveWithObject: true });
  return { png: data, width: info.width, height: info.height };
}

const fontFile = (name: string) => fileURLToPath(new URL(`../../content/fonts/${name}`, import.meta.url));
const wideFont = { font: "Archivo Wide", fontfile: fontFile("archivo-wide.ttf") };
/** Its missing letters come from the fonts that addFonts has added, then from the system's. */
const anyFont = { font: "DejaVu Sans", fontfile: anyFontFile };

/** The library keeps a font that it has drawn with, and takes letters from all that it keeps. */
async function addFonts(text: string): Promise<void> {
  const sharp = await loadSharp();
  const files = new Set(Array.from(text, (character) => findFont(character, text)));
  for (const fontfile of files) {
    if (fontfile) await sharp({ text: { text: "-", fontfile } }).toBuffer();
  }
}

/** Whether the wide font has every letter; a name with another letter uses one font for all of it. */
function isLatin(text: string): boolean {
  return /^[\x20-\x7e\xa0-\xff–—‘’“”…]*$/.test(text);
}

function escapeMarkup(text: string): string {
  return text.replace(/[&<>]/g, (character) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[character] ?? character);
}
