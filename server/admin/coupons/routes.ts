import type { FastifyInstance } from "fastify";
import * as contract from "#contract/admin/coupons.ts";
import type { Context } from "#server/context/context.ts";
import { addCodes, addCoupon, changeCoupon, setCouponActive } from "#server/coupons/editing.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { listCoupons } from "./coupons.ts";

const done = (message: string) => ({ success: true as const, message });

export function couponRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, contract.listCoupons, ({ query }) => listCoupons(ctx, query));
  serve(scope, contract.createCoupon, async ({ request, body: { code, ...terms } }) => {
    await addCoupon(ctx, studentOf(request), code, terms);
    return done("Coupon created");
  });
  serve(scope, contract.createCodes, async ({ request, params, body }) => ({
    codes: await addCodes(ctx, studentOf(request), params.id, body),
  }));
  serve(scope, contract.changeCoupon, async ({ request, params, query, body }) => {
    await changeCoupon(ctx, studentOf(request), { ...params, ...query }, body);
    return done("Coupon saved");
  });
  serve(scope, contract.endCoupon, async ({ request, params }) => {
    await setCouponActive(ctx, studentOf(request), params.code, false);
    return done("Coupon ended");
  });
  serve(scope, contract.resumeCoupon, async ({ request, params }) => {
    await setCouponActive(ctx, studentOf(request), params.code, true);
    return done("Coupon resumed");
  });
}
