import { inArray } from "drizzle-orm";
import { builtInCopy } from "#content/copy/copy.ts";
import { legalTextsDate } from "#content/copy/legal.ts";
import { type AcademyCopy, type Copy, type CopyPart, copyParts } from "#contract/copy.ts";
import type { Db } from "#server/db/db.ts";
import { settings } from "./tables.ts";

export type ReviewedPart = (typeof reviewedParts)[number];
const reviewedParts = ["terms", "privacy"] as const;
export function isLegalText(part: string): part is ReviewedPart {
  return (reviewedParts as readonly string[]).includes(part);
}
const reviewName = (part: ReviewedPart) => `reviewed:${part}`;
const rowName = (part: CopyPart) => `copy:${part}`;

export interface PublishedCopy {
  readonly copy: AcademyCopy;
  /** When each legal text was published; null before the first time. */
  readonly legalTexts: { readonly terms: Date | null; readonly privacy: Date | null };
  /** When somebody last confirmed that a legal text still holds. */
  readonly reviews: { readonly [Part in CopyPart]?: Date };
}

/** The published copy; the built-in one before the first publication. */
export async function publishedCopy(db: Db): Promise<PublishedCopy> {
  const rows = await db
    .select()
    .from(settings)
    .where(inArray(settings.name, [...copyParts.map(rowName), ...reviewedParts.map(reviewName)]));
  const byName = new Map(rows.map((row) => [row.name, row]));
  const copy = Object.fromEntries(
    copyParts.map((part) => [part, byName.get(rowName(part))?.value ?? builtInCopy[part]]),
  ) as unknown as AcademyCopy;
  const publishedAt = (part: CopyPart) => byName.get(rowName(part))?.updatedAt ?? null;
  const reviews = Object.fromEntries(
    reviewedParts.flatMap((part) => {
      const row = byName.get(reviewName(part));
      return row ? [[part, row.updatedAt]] : [];
    }),
  );
  return { copy, legalTexts: { terms: publishedAt("terms"), privacy: publishedAt("privacy") }, reviews };
}

export async function currentCopy(db: Db): Promise<AcademyCopy> {
  return (await publishedCopy(db)).copy;
}

export async function setCopy(tx: Db, value: Copy, now: Date): Promise<void> {
  await tx
    .insert(settings)
    .values({ name: rowName(value.part), value, updatedAt: now })
    .onConflictDoUpdate({ target: settings.name, set: { value, updatedAt: now } });
}

/** Records that somebody confirmed a legal text as it is published. */
export async function recordReview(tx: Db, part: ReviewedPart, now: Date): Promise<void> {
  await tx
    .insert(settings)
    .values({ name: reviewName(part), value: "holds", updatedAt: now })
    .onConflictDoUpdate({ target: settings.name, set: { updatedAt: now } });
}

/** The dates that the legal texts show. */
export function legalDays({ legalTexts }: Pick<PublishedCopy, "legalTexts">): { terms: string; privacy: string } {
  const day = (published: Date | null) => published?.toISOString().slice(0, 10) ?? legalTextsDate;
  return { terms: day(legalTexts.terms), privacy: day(legalTexts.privacy) };
}
