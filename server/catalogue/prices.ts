import { and, desc, eq, gte, inArray, isNull, lt, or } from "drizzle-orm";
import type { Offer } from "#contract/offer.ts";
import type { Db } from "#server/db/db.ts";
import { currentOffer } from "#server/settings/offer.ts";
import { listActivePlans, type PlanRow } from "./queries.ts";
import { planPrices } from "./tables.ts";

type Priced = Pick<PlanRow, "price" | "originalPrice">;

/** Cents: the higher price that pages strike out. */
export function struckOutPrice(plan: Priced, offer: Offer): number {
  return plan.originalPrice ?? Math.round(plan.price * offer.originalPriceFactor);
}

/** The end of the offer in milliseconds; infinite when it does not end. */
export function endOf({ enabled, countdown }: Offer): number {
  return enabled && countdown.kind === "until" ? Date.parse(countdown.endsAt) : Number.POSITIVE_INFINITY;
}

/** Whether the offer is on, so that pages compare prices. */
export function isOn(offer: Offer, at: Date): boolean {
  return offer.enabled && at.getTime() < endOf(offer);
}

/** Cents: the plan's price at an instant. After a timed offer it is the price that was struck out. */
export function priceAt(plan: Priced, offer: Offer, at: Date): number {
  return at.getTime() < endOf(offer) ? plan.price : struckOutPrice(plan, offer);
}

/**
 * Records what the plans cost from `now` on, also after the end of a timed offer. Safe to repeat; past periods stay.
 */
export async function recordPlanPrices(tx: Db, now: Date): Promise<void> {
  const onSale = await listActivePlans(tx);
  const offer = await currentOffer(tx);
  const known = await listOpenPrices(tx, now);
  const end = endOf(offer);
  await tx.delete(planPrices).where(gte(planPrices.startsAt, now));
  await tx
    .update(planPrices)
    .set({ endsAt: now })
    .where(and(lt(planPrices.startsAt, now), or(isNull(planPrices.endsAt), gte(planPrices.endsAt, now))));
  for (const plan of onSale) {
    const price = priceAt(plan, offer, now);
    const later = end > now.getTime() && end < Number.POSITIVE_INFINITY ? struckOutPrice(plan, offer) : price;
    const endsAt = later === price ? null : new Date(end);
    const running = known.find((row) => row.planId === plan.id);
    if (running?.price === price && running.startsAt < now) {
      await tx
        .update(planPrices)
        .set({ endsAt })
        .where(and(eq(planPrices.planId, plan.id), eq(planPrices.startsAt, running.startsAt)));
    } else await tx.insert(planPrices).values({ planId: plan.id, price, startsAt: now, endsAt });
    if (endsAt) await tx.insert(planPrices).values({ planId: plan.id, price: later, startsAt: endsAt, endsAt: null });
  }
}

function listOpenPrices(db: Db, now: Date) {
  return db
    .select()
    .from(planPrices)
    .where(and(lt(planPrices.startsAt, now), or(isNull(planPrices.endsAt), gte(planPrices.endsAt, now))));
}

export interface PricePeriod {
  readonly planId: string;
  readonly price: number;
  readonly startsAt: Date;
  readonly endsAt: Date | null;
}

export function listPlanPrices(db: Db, planIds: readonly string[]): Promise<PricePeriod[]> {
  return db
    .select()
    .from(planPrices)
    .where(inArray(planPrices.planId, [...planIds]))
    .orderBy(desc(planPrices.startsAt));
}
