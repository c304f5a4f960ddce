import { eq } from "drizzle-orm";
import { z } from "zod";
import type { PlanContent } from "#contract/admin/content.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { currentOffer, setOffer } from "#server/settings/offer.ts";
import { type Draft, findPublished, listDrafts, offerId } from "./content.ts";
import { isDraft, recordChange, takeTurn } from "./drafting.ts";
import { endOf, recordPlanPrices, struckOutPrice } from "./prices.ts";
import { listActivePlans } from "./queries.ts";
import { contentDrafts, plans } from "./tables.ts";

/** Runs at the end of a timed offer. */
export const endOfferJob = defineJob("end-offer", z.object({}));

export async function endOffer(ctx: Context): Promise<void> {
  await ctx.db.transaction((tx) => settleEndedOffer(tx, ctx.clock.now()));
}

export async function scheduleEndOfOffer(tx: Db, now: Date): Promise<void> {
  const end = endOf(await currentOffer(tx));
  if (end === Number.POSITIVE_INFINITY) return;
  const runAt = new Date(end);
  await scheduleJob(tx, endOfferJob, { data: {}, key: runAt.toISOString(), runAt, now });
}

/**
 * After the end of a timed offer makes its struck-out prices the prices of the plans and turns it off. Pages and
 * checkout do so since its end; afterwards administrators edit them too. Safe to repeat.
 */
export async function settleEndedOffer(tx: Db, now: Date): Promise<void> {
  await takeTurn(tx);
  const offer = await currentOffer(tx);
  if (now.getTime() < endOf(offer)) return;
  const verb = "end offer:";
  for (const row of await listActivePlans(tx)) {
    const { id } = row;
    const before = await findPublished(tx, "plan", id);
    const price = struckOutPrice(row, offer);
    await tx.update(plans).set({ price, originalPrice: null, updatedAt: now }).where(eq(plans.id, id));
    const after = await findPublished(tx, "plan", id);
    if (!before || !after) continue;
    await recordChange(tx, "system", verb, { kind: "plan", id, before, after }, now);
    await raiseDraftedPrice(tx, id, before, after);
  }
  const settled = { ...offer, enabled: false };
  await setOffer(tx, settled, now);
  await recordChange(tx, "system", verb, { kind: "offer", id: offerId, before: offer, after: settled }, now);
  await recordPlanPrices(tx, now);
}

/** A draft that did not change the price must not bring the offer's price back. */
async function raiseDraftedPrice(tx: Db, id: string, before: PlanContent, after: PlanContent): Promise<void> {
  const draft = (await listDrafts(tx)).find((one) => one.kind === "plan" && one.id === id) as Draft<"plan"> | undefined;
  if (draft?.content.price !== before.price) return;
  const content = { ...draft.content, price: after.price, originalPrice: after.originalPrice };
  await tx
    .update(contentDrafts)
    .set({ content })
    .where(isDraft({ kind: "plan", id }));
}
