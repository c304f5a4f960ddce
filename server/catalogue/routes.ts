import type { FastifyInstance } from "fastify";
import { getAcademy } from "#contract/academy.ts";
import { listPlans } from "#contract/catalogue.ts";
import { getCommunities } from "#contract/communities.ts";
import { getCopy } from "#contract/copy.ts";
import { getOffer } from "#contract/offer.ts";
import { getClaims } from "#contract/page-facts.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { describeCommunities } from "#server/settings/settings.ts";
import { describeOnPages, describeSale, readWords } from "./catalogue.ts";

export function planRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, listPlans, async () => (await describeSale(ctx)).plans);
  serve(scope, getAcademy, () => describeOnPages(ctx.db));
  serve(scope, getCommunities, () => describeCommunities(ctx.db));
  serve(scope, getOffer, async () => (await describeSale(ctx)).offer);
  serve(scope, getClaims, async () => {
    const [{ plans }, words] = await Promise.all([describeSale(ctx), readWords(ctx.db)]);
    return words.claimsBeside(plans);
  });
  serve(scope, getCopy, async () => (await readWords(ctx.db)).copy);
}
