import type { FastifyInstance } from "fastify";
import { changeCoupon, createCoupon, endCoupon, listCoupons, resumeCoupon } from "#contract/admin/coupons.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { change, create, describeCoupons, setActive } from "./coupons.ts";

export function couponRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, listCoupons, () => describeCoupons(ctx));
  serve(scope, createCoupon, ({ request, body: { code, ...terms } }) => create(ctx, studentOf(request), code, terms));
  serve(scope, changeCoupon, ({ request, params, query, body }) =>
    change(ctx, studentOf(request), { ...params, ...query }, body),
  );
  serve(scope, endCoupon, ({ request, params }) => setActive(ctx, studentOf(request), params.code, false));
  serve(scope, resumeCoupon, ({ request, params }) => setActive(ctx, studentOf(request), params.code, true));
}
