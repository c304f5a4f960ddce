import { eq } from "drizzle-orm";
import { offer as builtInOffer } from "#content/offer.ts";
import type { Offer } from "#contract/offer.ts";
import type { Db } from "#server/db/db.ts";
import { settings } from "./tables.ts";

const name = "offer";

export async function currentOffer(db: Db): Promise<Offer> {
  const [row] = await db.select().from(settings).where(eq(settings.name, name));
  return row ? (row.value as Offer) : builtInOffer;
}

export async function setOffer(tx: Db, offer: Offer, now: Date): Promise<void> {
  await tx
    .insert(settings)
    .values({ name, value: offer, updatedAt: now })
    .onConflictDoUpdate({ target: settings.name, set: { value: offer, updatedAt: now } });
}
