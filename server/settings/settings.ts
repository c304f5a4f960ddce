import { isDeepStrictEqual } from "node:util";
import { asc, eq, gt } from "drizzle-orm";
import { builtInCopy } from "#content/copy/copy.ts";
import { builtInSettings } from "#content/site.ts";
import type { AcademyOnPages, AcademySettings } from "#contract/academy.ts";
import {
  builtInColors,
  type Colors,
  pictureAddress,
  pictureSize,
  socialImageAddress,
  squareIconAddress,
  stylesAddress,
  tagIconAddress,
} from "#contract/branding.ts";
import { knownZone } from "#contract/coaching/times.ts";
import type { Communities } from "#contract/communities.ts";
import type { AcademyCopy } from "#contract/copy.ts";
import type { PlanNames } from "#contract/tiers.ts";
import type { Db } from "#server/db/db.ts";
import { type SocialImage, socialImageKey } from "./social-image.ts";
import { pastSellers, settings } from "./tables.ts";

const rowName = "academy";

/** The published settings, and the built-in ones where none was published. */
export async function currentSettings(db: Db): Promise<AcademySettings> {
  const [row] = await db.select().from(settings).where(eq(settings.name, rowName));
  return { ...builtInSettings, ...(row?.value as Partial<AcademySettings> | undefined) };
}

/** Days of reports, exports and receipts, and of people whose time zone is unknown, are counted in this zone. */
export async function academyZone(db: Db): Promise<string> {
  return knownZone((await currentSettings(db)).timeZone);
}

export async function setSettings(tx: Db, value: AcademySettings, now: Date): Promise<void> {
  const before = sellerFieldsOf(await currentSettings(tx));
  if (!isDeepStrictEqual(before, sellerFieldsOf(value))) {
    await tx.insert(pastSellers).values({ until: now, value: before }).onConflictDoNothing();
  }
  await tx
    .insert(settings)
    .values({ name: rowName, value, updatedAt: now })
    .onConflictDoUpdate({ target: settings.name, set: { value, updatedAt: now } });
}

function sellerFieldsOf({ name, supportEmail, sellerName, sellerAddress, taxLine, timeZone }: AcademySettings) {
  return { name, supportEmail, sellerName, sellerAddress, taxLine, timeZone };
}

/** Who runs the academy: the settings, and environment variables where a setting is empty. */
export interface Academy extends Look {
  readonly name: string;
  readonly supportEmail: string;
  readonly seller: { readonly name: string; readonly address: readonly string[] };
  readonly taxLine: string | null;
  readonly timeZone: string;
  readonly refundDays: number;
  /** Without a slash at the end. Emails need it for their pictures. */
  readonly publicUrl: string;
}

/** Shown by pages, emails and receipts. */
interface Look {
  readonly colors: Colors;
  /** The style sheet that pages load after their own; null without branding. */
  readonly brandingStylesheet: string | null;
  /** Null: pages show the name instead. Its address has no host. */
  readonly logo: Logo | null;
  readonly icon: string;
  /** Simple boxes in place of tags, torn receipts and stamps. */
  readonly isPlain: boolean;
}

export interface Logo {
  readonly id: string;
  readonly src: string;
  readonly width: number;
  readonly height: number;
  readonly alt: string;
}

export interface Asking {
  readonly db: Db;
  readonly site: { readonly configuredSupportEmail: string; readonly publicUrl: string };
}

export async function describeAcademy(asking: Asking): Promise<Academy> {
  const current = await currentSettings(asking.db);
  const { refundDays } = current;
  return { ...sellerOf(asking, current), refundDays, ...brandingOf(current), publicUrl: asking.site.publicUrl };
}

export type Seller = Pick<Academy, "name" | "supportEmail" | "seller" | "taxLine" | "timeZone">;

/** The seller as published at that instant. */
export async function describeSellerAt(asking: Asking, at: Date): Promise<Seller> {
  const [past] = await asking.db
    .select({ value: pastSellers.value })
    .from(pastSellers)
    .where(gt(pastSellers.until, at))
    .orderBy(asc(pastSellers.until))
    .limit(1);
  const ofThatDay = (past?.value ?? {}) as Partial<AcademySettings>;
  return sellerOf(asking, { ...(await currentSettings(asking.db)), ...ofThatDay });
}

function sellerOf(
  { site }: Asking,
  { name, supportEmail, sellerName, sellerAddress, taxLine, timeZone }: AcademySettings,
): Seller {
  return {
    name,
    supportEmail: supportEmail ?? site.configuredSupportEmail,
    seller: { name: sellerName ?? name, address: linesOf(sellerAddress) },
    taxLine,
    timeZone,
  };
}

const builtInIcon = "/favicon.svg";

export function brandingOf(settings: AcademySettings): Look {
  const { name, brandColor, accentColor, logo, logoAlt, icon, isPlain } = settings;
  const colors = { brand: brandColor ?? builtInColors.brand, accent: accentColor ?? builtInColors.accent };
  const hasOwn = logo !== null || stylesAddress(colors) !== stylesAddress(builtInColors);
  const tagIcon = colors.brand === builtInColors.brand ? builtInIcon : tagIconAddress(colors);
  const drawnIcon = isPlain ? squareIconAddress(colors) : tagIcon;
  return {
    colors,
    brandingStylesheet: hasOwn ? stylesAddress(colors) : null,
    logo: logo === null ? null : { id: logo, src: pictureAddress(logo), ...pictureSize(logo), alt: logoAlt ?? name },
    icon: icon === null ? drawnIcon : pictureAddress(icon),
    isPlain,
  };
}

export async function describeCommunities(db: Db): Promise<Communities> {
  const { communities, externalSites, chat } = await currentSettings(db);
  return { communities, externalSites, chat };
}

/** The academy's own social image; null where the built-in one fits, with its name, headline and colours. */
export function ownSocialImage(current: AcademySettings, { hero }: Pick<AcademyCopy, "hero">): SocialImage | null {
  const { name, logo } = current;
  const { colors } = brandingOf(current);
  const saysBuiltIn = name === builtInSettings.name && hero.headline === builtInCopy.hero.headline;
  const isBuiltIn = saysBuiltIn && colors.brand === builtInColors.brand && logo === null && !current.isPlain;
  return isBuiltIn ? null : { name, colors, logo };
}

/** Leaves out what is as built in, so that pages of an academy without branding are no longer for it. */
export function onPages(
  current: AcademySettings,
  copy: Pick<AcademyCopy, "hero" | "footer">,
  planNames: PlanNames,
): AcademyOnPages {
  const { part: _, ...footer } = copy.footer;
  const { name, supportEmail, phone, officeHours, businessHours, refundDays, timeZone } = current;
  const { colors, brandingStylesheet, logo, icon, isPlain } = brandingOf(current);
  const image = ownSocialImage(current, copy);
  return {
    ...{ name, supportEmail, phone, officeHours, businessHours, refundDays, planNames, footer },
    ...(timeZone !== builtInSettings.timeZone && { timeZone }),
    ...(brandingStylesheet && { colors }),
    ...(logo && { logo: { src: logo.src, width: logo.width, height: logo.height, alt: logo.alt } }),
    ...(isPlain && { isPlain }),
    ...(icon !== builtInIcon && { icon }),
    ...(image && { socialImage: socialImageAddress(socialImageKey(image)) }),
  };
}

function linesOf(text: string | null): string[] {
  return (text ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}
