import { eq, inArray } from "drizzle-orm";
import { builtInEmails } from "#content/emails.ts";
import { type EmailTexts, fits } from "#contract/email-texts.ts";
import type { Db } from "#server/db/db.ts";
import { settings } from "./tables.ts";

const kinds: Readonly<Record<string, { readonly texts: Readonly<Record<string, string | readonly string[]>> }>> =
  builtInEmails;
const rowName = (kind: string) => `email:${kind}`;

/** Empty for a kind without texts to change. */
export function originalTexts(kind: string): EmailTexts {
  const texts = Object.entries(kinds[kind]?.texts ?? {});
  return Object.fromEntries(texts.map(([name, text]) => [name, typeof text === "string" ? text : (text[0] ?? "")]));
}

/** All texts of the kind, in order: those given, or the original where an update has changed the placeholders. */
export function fittingTexts(kind: string, texts: EmailTexts): EmailTexts {
  const fitting = (original: string, text = original) => (text === original || fits(text, original) ? text : original);
  const all = Object.entries(originalTexts(kind));
  return Object.fromEntries(all.map(([name, original]) => [name, fitting(original, texts[name])]));
}

/** Those that an update has made unusable. */
export function unfitTexts(kind: string, texts: EmailTexts): EmailTexts {
  const fitting = fittingTexts(kind, texts);
  return Object.fromEntries(Object.entries(texts).filter(([name, text]) => fitting[name] !== text));
}

/** Those that differ from the original. The rest is not stored, so that an update may improve it. */
export function changedTexts(kind: string, texts: EmailTexts): EmailTexts {
  const originals = originalTexts(kind);
  return Object.fromEntries(Object.entries(texts).filter(([name, text]) => originals[name] !== text));
}

export async function publishedEmailTexts(db: Db, kind: string): Promise<EmailTexts> {
  return kinds[kind] ? fittingTexts(kind, (await changedEmailTexts(db, [kind]))[kind] ?? {}) : {};
}

/** By kind, the published texts that differ from the original, also those that no longer fit. */
export async function changedEmailTexts(
  db: Db,
  of: readonly string[] = Object.keys(kinds),
): Promise<Readonly<Record<string, EmailTexts>>> {
  const rows = await db
    .select()
    .from(settings)
    .where(inArray(settings.name, of.map(rowName)));
  return Object.fromEntries(rows.map(({ name, value }) => [name.slice(rowName("").length), value as EmailTexts]));
}

export async function setEmailTexts(tx: Db, kind: string, texts: EmailTexts, updatedAt: Date): Promise<void> {
  const value = changedTexts(kind, texts);
  const name = rowName(kind);
  if (Object.keys(value).length === 0) await tx.delete(settings).where(eq(settings.name, name));
  else {
    await tx
      .insert(settings)
      .values({ name, value, updatedAt })
      .onConflictDoUpdate({ target: settings.name, set: { value, updatedAt } });
  }
}
