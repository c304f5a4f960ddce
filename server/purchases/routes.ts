import type { FastifyInstance } from "fastify";
import {
  cancelMembership,
  changeCardByLink as changeCardByLinkCall,
  changeCard as changeCardCall,
  getMembership,
  readCardLink,
  resumeMembership,
} from "#contract/purchases/memberships.ts";
import {
  acceptPayment as acceptPaymentCall,
  getPaymentConfig,
  listPurchases,
  listUserPurchases,
} from "#contract/purchases/purchases.ts";
import type { Context } from "#server/context.ts";
import { clientOf } from "#server/http/client.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { userById } from "#server/identity/users.ts";
import { changeCardByLink, describeCardLink } from "#server/subscriptions/card-links.ts";
import { changeCard } from "#server/subscriptions/new-card.ts";
import { cancelSubscription, describeMembership, resumeSubscription } from "#server/subscriptions/subscriptions.ts";
import { acceptPayment, listPurchasesOf } from "./purchases.ts";

/** What the card form needs before anybody signs in. */
export function paymentConfigRoutes(scope: FastifyInstance, ctx: Context): void {
  const { scriptUrl, apiLoginId, clientKey } = ctx.gateway.browser;
  const { environment } = ctx.config.gateway;
  serve(scope, getPaymentConfig, async () => ({ scriptUrl, apiLoginId, clientKey, environment }));
}

export function purchaseRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, acceptPaymentCall, async ({ request, reply, body }) => {
    const result = await acceptPayment(onReserve(ctx), studentOf(request), body, clientOf(request));
    reply.code(result.status === "pending" ? 202 : 200);
    return result;
  });
  serve(scope, listUserPurchases, ({ request }) => listPurchasesOf(ctx, studentOf(request)));
  serve(scope, listPurchases, ({ request }) => listPurchasesOf(ctx, studentOf(request)));
}

export function membershipRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, getMembership, ({ request }) => describeMembership(ctx, studentOf(request)));
  serve(scope, cancelMembership, async ({ request }) => {
    const student = studentOf(request);
    await ctx.db.transaction((tx) => cancelSubscription(tx, { userId: student.id }, ctx.clock.now()));
    return describeMembership(ctx, await userById(ctx.db, student.id));
  });
  serve(scope, resumeMembership, async ({ request }) => {
    const student = studentOf(request);
    await ctx.db.transaction((tx) => resumeSubscription(tx, student.id, ctx.clock.now()));
    return describeMembership(ctx, student);
  });
  serve(scope, changeCardCall, async ({ request, reply, body }) => {
    const change = await changeCard(onReserve(ctx), studentOf(request), body, clientOf(request));
    reply.code(change.status === "pending" ? 202 : 200);
    return change;
  });
}

/** What the link of a mail opens without sign-in. */
export function cardLinkRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, readCardLink, ({ body }) => describeCardLink(ctx, body.token));
  serve(scope, changeCardByLinkCall, async ({ request, reply, body: { token, ...card } }) => {
    const change = await changeCardByLink(onReserve(ctx), token, card, clientOf(request));
    reply.code(change.status === "pending" ? 202 : 200);
    return change;
  });
}

/** A student who pays waits for no connection that everybody else has taken. */
function onReserve(ctx: Context): Context {
  return { ...ctx, db: ctx.reserve };
}
