import { eq } from "drizzle-orm";
import { builtInEmails } from "#content/emails.ts";
import { type EmailTexts, fits } from "#contract/email-texts.ts";
import type { Db } from "#server/db/db.ts";
import { settings } from "./tables.ts";

const rowName = (kind: string) => `email:${kind}`;

export function originalTexts(kind: string): EmailTexts {
  const texts = Object.entries(builtInEmails as Readonly<Record<string, { texts: object }>>);
  const found = texts.find(([one]) => one === kind)?.[1].texts ?? {};
  return Object.fromEntries(Object.entries(found).map(([name, text]) => [name, [text].flat()[0] as string]));
}

/** All texts of the kind, in order: those given, or the original where an update has changed the placeholders. */
function fittingTexts(kind: string, texts: EmailTexts): EmailTexts {
  const own = (name: string, original: string) => {
    const text = texts[name];
    return text !== undefined && fits(text, original) ? text : original;
  };
  return Object.fromEntries(Object.entries(originalTexts(kind)).map(([name, text]) => [name, own(name, text)]));
}

export async function publishedEmailTexts(db: Db, kind: string): Promise<EmailTexts> {
  return fittingTexts(kind, await changedEmailTexts(db, kind));
}

/** Only those that differ from the original, also if they no longer fit. */
async function changedEmailTexts(db: Db, kind: string): Promise<EmailTexts> {
  const [row] = await db
    .select()
    .from(settings)
    .where(eq(settings.name, rowName(kind)));
  return (row?.value ?? {}) as EmailTexts;
}
