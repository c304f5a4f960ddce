import type { FastifyInstance, FastifyRequest } from "fastify";
import * as contract from "#contract/admin/coupons.ts";
import type { Context } from "#server/context/context.ts";
import { addCoupon, changeCoupon, setCouponActive } from "#server/coupons/editing.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { describeCoupons } from "./coupons.ts";

export function couponRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, contract.listCoupons, () => describeCoupons(ctx));
  serve(scope, contract.createCoupon, async ({ request, body: { code, ...terms } }) => {
    await addCoupon(ctx, studentOf(request), code, terms);
    return describeCoupons(ctx);
  });
  serve(scope, contract.changeCoupon, async ({ request, params, query, body }) => {
    await changeCoupon(ctx, studentOf(request), { ...params, ...query }, body);
    return describeCoupons(ctx);
  });
  const setActive = async (request: FastifyRequest, code: string, isActive: boolean) => {
    await setCouponActive(ctx, studentOf(request), code, isActive);
    return describeCoupons(ctx);
  };
  serve(scope, contract.endCoupon, ({ request, params }) => setActive(request, params.code, false));
  serve(scope, contract.resumeCoupon, ({ request, params }) => setActive(request, params.code, true));
}
