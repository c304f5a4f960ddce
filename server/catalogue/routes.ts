import type { FastifyInstance } from "fastify";
import { listPlans } from "#contract/catalogue.ts";
import { getOffer } from "#contract/offer.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { listPlansOnSale } from "./catalogue.ts";
import { currentOffer } from "./offer.ts";

export function planRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, listPlans, () => listPlansOnSale(ctx));
  serve(scope, getOffer, () => currentOffer(ctx.db));
}
