import type { FastifyInstance } from "fastify";
import { listPurchases, listUserPurchases } from "#contract/purchases/purchases.ts";
import {
  cancelOwnSubscription,
  changeCardByLink as changeCardByLinkCall,
  changeCard as changeCardCall,
  getOwnSubscription,
  readCardLink,
  resumeOwnSubscription,
} from "#contract/purchases/subscriptions.ts";
import { clientOf } from "#server/http/client.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { userById } from "#server/identity/users.ts";
import type { PaymentContext } from "#server/payments/handlers.ts";
import { onReserve } from "#server/payments/routes.ts";
import { changeCardByLink, describeCardLink } from "./card-links.ts";
import { changeCard } from "./new-card.ts";
import { listPurchasesOf } from "./purchase-list.ts";
import { cancelSubscription, describeSubscription, resumeSubscription } from "./subscriptions.ts";

export function subscriptionRoutes(scope: FastifyInstance, ctx: PaymentContext): void {
  serve(scope, listUserPurchases, ({ request }) => listPurchasesOf(ctx, studentOf(request)));
  serve(scope, listPurchases, ({ request }) => listPurchasesOf(ctx, studentOf(request)));
  serve(scope, getOwnSubscription, ({ request }) => describeSubscription(ctx, studentOf(request)));
  serve(scope, cancelOwnSubscription, async ({ request }) => {
    const student = studentOf(request);
    await ctx.db.transaction((tx) => cancelSubscription(tx, { userId: student.id }, ctx.clock.now()));
    return describeSubscription(ctx, await userById(ctx.db, student.id));
  });
  serve(scope, resumeOwnSubscription, async ({ request }) => {
    const student = studentOf(request);
    await ctx.db.transaction((tx) => resumeSubscription(tx, student.id, ctx.clock.now()));
    return describeSubscription(ctx, student);
  });
  serve(scope, changeCardCall, async ({ request, reply, body }) => {
    const change = await changeCard(onReserve(ctx), studentOf(request), body, clientOf(request));
    reply.code(change.status === "pending" ? 202 : 200);
    return change;
  });
}

/** Without sign-in. */
export function cardLinkRoutes(scope: FastifyInstance, ctx: PaymentContext): void {
  serve(scope, readCardLink, ({ body }) => describeCardLink(ctx, body.token));
  serve(scope, changeCardByLinkCall, async ({ request, reply, body: { token, ...card } }) => {
    const change = await changeCardByLink(onReserve(ctx), token, card, clientOf(request));
    reply.code(change.status === "pending" ? 202 : 200);
    return change;
  });
}
