import { asc, eq, inArray } from "drizzle-orm";
import type { Plan } from "#contract/catalogue.ts";
import type { Offer, OfferOnPages } from "#contract/offer.ts";
import type { Db } from "#server/db/db.ts";
import { isOn } from "./prices.ts";
import { claimRecords, withdrawnClaims } from "./tables.ts";

/** Ids of the claims that follow from plans and offer. */
export const claimIds = {
  wasPrice: (plan: { id: string }) => `was-price:${plan.id}`,
  mostPopular: (plan: { id: string }) => `most-popular:${plan.id}`,
  badge: (plan: { tier: string }) => `badge:${plan.tier}`,
  discount: "offer-discount",
  countdown: "countdown",
} as const;

export type ClaimRecordRow = typeof claimRecords.$inferSelect;

export async function listWithdrawn(db: Db): Promise<{ claimId: string; withdrawnAt: Date }[]> {
  return db.select().from(withdrawnClaims).orderBy(asc(withdrawnClaims.claimId));
}

export async function listWithdrawnIds(db: Db): Promise<string[]> {
  return (await listWithdrawn(db)).map(({ claimId }) => claimId);
}

/** Returns the ids that were not withdrawn before. */
export async function withdrawClaims(tx: Db, ids: readonly string[], withdrawnAt: Date): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .insert(withdrawnClaims)
    .values(ids.map((claimId) => ({ claimId, withdrawnAt })))
    .onConflictDoNothing()
    .returning({ claimId: withdrawnClaims.claimId });
  return rows.map(({ claimId }) => claimId);
}

/** Returns the ids that were withdrawn before. */
export async function restoreClaims(tx: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .delete(withdrawnClaims)
    .where(inArray(withdrawnClaims.claimId, [...ids]))
    .returning({ claimId: withdrawnClaims.claimId });
  return rows.map(({ claimId }) => claimId);
}

export function listClaimRecords(db: Db): Promise<ClaimRecordRow[]> {
  return db.select().from(claimRecords).orderBy(asc(claimRecords.recordedAt), asc(claimRecords.id));
}

export async function addClaimRecord(tx: Db, record: typeof claimRecords.$inferInsert): Promise<void> {
  await tx.insert(claimRecords).values(record);
}

/** Returns the deleted record; null when there is none. */
export async function removeClaimRecord(tx: Db, id: string): Promise<ClaimRecordRow | null> {
  const [row] = await tx.delete(claimRecords).where(eq(claimRecords.id, id)).returning();
  return row ?? null;
}

/** The plans without their withdrawn claims. */
export function plansOnPages(plans: readonly Plan[], withdrawn: readonly string[]): Plan[] {
  return plans.map((plan) => ({
    ...plan,
    originalPrice: withdrawn.includes(claimIds.wasPrice(plan)) ? null : plan.originalPrice,
    popular: plan.popular && !withdrawn.includes(claimIds.mostPopular(plan)),
  }));
}

/** The offer at an instant without its withdrawn claims; nothing when it is off or over. */
export function offerOnPages(
  offer: Offer,
  plans: readonly Plan[],
  withdrawn: readonly string[],
  at: Date,
): OfferOnPages {
  const isShown = isOn(offer, at);
  const stands = (id: string) => isShown && !withdrawn.includes(id);
  const hasDiscount = stands(claimIds.discount);
  const hasCountdown = stands(claimIds.countdown);
  const hasWasPrice = plans.some((plan) => stands(claimIds.wasPrice(plan)));
  const badges = Object.fromEntries(
    Object.entries(offer.badges).filter(([tier]) => stands(claimIds.badge({ tier }))),
  ) as Offer["badges"];
  const isLeft = hasDiscount || hasCountdown || hasWasPrice || Object.keys(badges).length > 0;
  return {
    ...offer,
    enabled: isShown && isLeft,
    countdown: hasCountdown ? offer.countdown : null,
    countdownLabel: hasCountdown ? offer.countdownLabel : null,
    originalPriceFactor: hasWasPrice ? offer.originalPriceFactor : 1,
    discountClaim: hasDiscount ? offer.discountClaim : null,
    headline: hasDiscount ? offer.headline : null,
    badges,
  };
}
