import { createHash } from "node:crypto";
import { and, eq, inArray, isNull, not, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { AcademySettings } from "#contract/academy.ts";
import { brandingPath } from "#contract/branding.ts";
import { DAY } from "#server/base/clock.ts";
import { invalidFields, Refusal } from "#server/base/refusal.ts";
import type { Db } from "#server/db/db.ts";
import type { RetentionRule } from "#server/db/retention.ts";
import { decodeImage, inTurn, loadSharp, type Pixels } from "#server/images/decode.ts";
import { pictures } from "./tables.ts";

export type PictureKind = "logo" | "icon" | "figure";

/** At most 1200 pixels wide or high: the widest column of a text on a dense screen. */
const figureBox = { width: 1200, height: 1200 };
const logoBox = { width: 640, height: 240 };
const iconSide = 512;
const minIconSide = 48;

/** Returns the picture's id, which is the same for the same pixels. @throws Refusal unreadable-image. */
export async function keepPicture(db: Db, kind: PictureKind, path: string, now: Date): Promise<string> {
  const { png, width, height } = await inTurn(async () => {
    const pixels = await decodeImage(path, {
      longestSide: kind === "figure" ? figureBox.width : 4 * iconSide,
      formats: ["png", "webp", "jpeg"],
      instead: "a PNG, WebP or JPEG picture",
    });
    return kind === "icon" ? drawIcon(pixels) : drawWithin(kind === "logo" ? logoBox : figureBox, pixels);
  });
  const id = `${createHash("sha256").update(png).digest("hex").slice(0, 32)}-${width}x${height}`;
  await db
    .insert(pictures)
    .values({ id, png, createdAt: now })
    .onConflictDoUpdate({
      target: pictures.id,
      set: { createdAt: now },
    });
  return id;
}

interface Drawn {
  readonly png: Buffer;
  readonly width: number;
  readonly height: number;
}

async function drawWithin(box: typeof logoBox, { data, info }: Pixels): Promise<Drawn> {
  const sharp = await loadSharp();
  return toPng(sharp(data, { raw: info }).resize({ ...box, fit: "inside", withoutEnlargement: true }));
}

async function drawIcon({ data, info }: Pixels): Promise<Drawn> {
  const sharp = await loadSharp();
  const side = Math.min(info.width, info.height, iconSide);
  if (side < minIconSide) {
    throw new Refusal(
      "unreadable-image",
      `The icon is too small. Please choose one of at least ${minIconSide} pixels.`,
    );
  }
  return toPng(sharp(data, { raw: info }).resize(side, side, { fit: "cover" }));
}

async function toPng(image: import("sharp").Sharp): Promise<Drawn> {
  const { data: png, info } = await image.png({ compressionLevel: 9 }).toBuffer({ resolveWithObject: true });
  return { png, width: info.width, height: info.height };
}

export async function findPicture(db: Db, id: string): Promise<Buffer | null> {
  const [row] = await db.select({ png: pictures.png }).from(pictures).where(eq(pictures.id, id));
  return row?.png ?? null;
}

export const picturesOf = ({ logo, icon }: AcademySettings) => [logo, icon].filter((id) => id !== null);

/** The uploaded pictures that a formatted text names. */
export function picturesIn(text: string | null): string[] {
  const ids = (text ?? "").matchAll(new RegExp(`${brandingPath}/([0-9a-f]{32}-\\d{1,4}x\\d{1,4})\\.png`, "g"));
  return [...new Set([...ids].map(([, id = ""]) => id))];
}

export async function hasPictures(db: Db, ids: readonly string[]): Promise<boolean> {
  return ids.length === 0 || (await db.$count(pictures, inArray(pictures.id, [...ids]))) === ids.length;
}

/** @throws Refusal invalid-input with the field of a picture that was not uploaded, or is deleted by now */
export async function requirePictures(db: Db, settings: AcademySettings): Promise<void> {
  const named = picturesOf(settings);
  if (named.length === 0) return;
  const known = await db.select({ id: pictures.id }).from(pictures).where(inArray(pictures.id, named));
  const isMissing = (id: string | null) => id !== null && !known.some((one) => one.id === id);
  const errors = {
    ...(isMissing(settings.logo) && { logo: ["Upload it again"] }),
    ...(isMissing(settings.icon) && { icon: ["Upload it again"] }),
  };
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}

/** Keeps pictures for good, as emails that were sent show them. */
export async function publishPictures(tx: Db, named: readonly string[], now: Date): Promise<void> {
  if (named.length === 0) return;
  await tx
    .update(pictures)
    .set({ publishedAt: now })
    .where(and(inArray(pictures.id, [...named]), isNull(pictures.publishedAt)));
}

/** Uploaded pictures that nobody published and no draft names. */
export const pictureRetention = (isDrafted: (id: PgColumn) => SQL): RetentionRule => ({
  table: pictures,
  from: pictures.createdAt,
  keptFor: 30 * DAY,
  where: () => and(isNull(pictures.publishedAt), not(isDrafted(pictures.id))),
});
