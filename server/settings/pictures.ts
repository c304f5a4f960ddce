import { createHash } from "node:crypto";
import { and, eq, inArray, isNotNull, isNull, not, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { AcademySettings } from "#contract/academy.ts";
import { brandingPath } from "#contract/branding.ts";
import type { Copy } from "#contract/copy.ts";
import { DAY } from "#server/base/clock.ts";
import { invalidFields, Refusal } from "#server/base/refusal.ts";
import type { Db } from "#server/db/db.ts";
import type { RetentionRule } from "#server/db/retention.ts";
import { decodeImage, inTurn, loadSharp, type Pixels } from "#server/images/decode.ts";
import { pictures } from "./tables.ts";

export type PictureKind = "logo" | "icon" | "figure" | "portrait";

const boxes = {
  logo: { width: 640, height: 240 },
  /** The widest column of a text on a dense screen. */
  figure: { width: 1200, height: 1200 },
  /** Somebody on the landing page, on a dense screen. */
  portrait: { width: 480, height: 600 },
};
const iconSide = 512;
const minIconSide = 48;

/** Returns the picture's id, which is the same for the same pixels. @throws Refusal unreadable-image. */
export async function keepPicture(db: Db, kind: PictureKind, path: string, now: Date): Promise<string> {
  const { png, webp, width, height } = await inTurn(async () => {
    const pixels = await decodeImage(path, {
      longestSide: kind === "figure" ? boxes.figure.width : 4 * iconSide,
      formats: ["png", "webp", "jpeg"],
      instead: "a PNG, WebP or JPEG picture",
    });
    const image = kind === "icon" ? await drawIcon(pixels) : await drawWithin(boxes[kind], pixels);
    const forPages = kind === "figure" || kind === "portrait";
    return { ...(await toPng(image)), webp: forPages ? await image.clone().webp({ quality: 82 }).toBuffer() : null };
  });
  const id = `${createHash("sha256").update(png).digest("hex").slice(0, 32)}-${width}x${height}`;
  await db
    .insert(pictures)
    .values({ id, png, webp, createdAt: now })
    .onConflictDoUpdate({
      target: pictures.id,
      set: { createdAt: now, ...(webp && { webp }) },
    });
  return id;
}

type Image = import("sharp").Sharp;

async function drawWithin(box: { width: number; height: number }, { data, info }: Pixels): Promise<Image> {
  const sharp = await loadSharp();
  return sharp(data, { raw: info }).resize({ ...box, fit: "inside", withoutEnlargement: true });
}

async function drawIcon({ data, info }: Pixels): Promise<Image> {
  const sharp = await loadSharp();
  const side = Math.min(info.width, info.height, iconSide);
  if (side < minIconSide) {
    throw new Refusal(
      "unreadable-image",
      `The icon is too small. Please choose one of at least ${minIconSide} pixels.`,
    );
  }
  return sharp(data, { raw: info }).resize(side, side, { fit: "cover" });
}

async function toPng(image: Image) {
  const { data: png, info } = await image.clone().png({ compressionLevel: 9 }).toBuffer({ resolveWithObject: true });
  return { png, width: info.width, height: info.height };
}

export async function findPicture(db: Db, id: string, format: "png" | "webp" = "png"): Promise<Buffer | null> {
  const [row] = await db.select({ bytes: pictures[format] }).from(pictures).where(eq(pictures.id, id));
  return row?.bytes ?? null;
}

/** Pictures that content names, and the format in which pages show them. */
export interface NamedPictures {
  readonly format: "png" | "webp";
  /** By the field that names them. */
  readonly ids: Readonly<Record<string, string | null>>;
}

export const picturesOfSettings = ({ logo, icon }: AcademySettings): NamedPictures => ({
  format: "png",
  ids: { logo, icon },
});

/** Copy that was saved before it had pictures has none. */
export function picturesOfCopy(copy: Copy): NamedPictures {
  return { format: "webp", ids: idsInCopy(copy) };
}

function idsInCopy(copy: Copy): NamedPictures["ids"] {
  if (copy.part === "hero" || copy.part === "instructor") return { "picture.id": copy.picture?.id ?? null };
  if (copy.part !== "testimonials") return {};
  return Object.fromEntries(
    copy.testimonials.map(({ picture }, at) => [`testimonials.${at}.picture.id`, picture?.id ?? null]),
  );
}

const idsOf = (named: NamedPictures) => [...new Set(Object.values(named.ids))].filter((id) => id !== null);

/** The uploaded pictures that a formatted text names. */
export function picturesIn(text: string | null): string[] {
  const ids = (text ?? "").matchAll(new RegExp(`${brandingPath}/([0-9a-f]{32}-\\d{1,4}x\\d{1,4})\\.png`, "g"));
  return [...new Set([...ids].map(([, id = ""]) => id))];
}

export async function hasPictures(db: Db, ids: readonly string[]): Promise<boolean> {
  return ids.length === 0 || (await db.$count(pictures, inArray(pictures.id, [...ids]))) === ids.length;
}

/** @throws Refusal invalid-input with the field of a picture that was not uploaded for it, or is deleted by now */
export async function requirePictures(db: Db, named: NamedPictures): Promise<void> {
  const ids = idsOf(named);
  if (ids.length === 0) return;
  const known = await db
    .select({ id: pictures.id })
    .from(pictures)
    .where(and(inArray(pictures.id, ids), isNotNull(pictures[named.format])));
  const missing = Object.entries(named.ids).filter(([, id]) => id !== null && !known.some((one) => one.id === id));
  if (missing.length > 0)
    throw invalidFields(Object.fromEntries(missing.map(([field]) => [field, ["Upload it again"]])));
}

/** Requires what content names to exist, and keeps it for good. @throws Refusal invalid-input */
export async function publishNamedPictures(tx: Db, named: NamedPictures, now: Date): Promise<void> {
  await requirePictures(tx, named);
  await publishPictures(tx, idsOf(named), now);
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
