import type { FastifyInstance } from "fastify";
import { grantAccess } from "#contract/admin/grants.ts";
import * as contract from "#contract/admin/users.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { startSeeing } from "#server/identity/sessions/seeing.ts";
import { signedInOf, studentOf } from "#server/identity/sessions/sessions.ts";
import { liveUserById } from "#server/identity/users.ts";
import { deleteAccount } from "#server/profile/delete-account.ts";
import {
  cancelActive,
  reactivateAccount,
  setTier,
  signOutEverywhere,
  suspendAccount,
} from "#server/subscriptions/accounts.ts";
import { giveAccess } from "./give-access.ts";
import { countUsers, describeUser, listUsers } from "./users.ts";

export function userRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, contract.listUsers, ({ request, query }) => listUsers(ctx, studentOf(request), query));
  serve(scope, contract.countUsers, ({ query }) => countUsers(ctx, query));
  serve(scope, contract.getUserDetail, ({ request, params }) => describeUser(ctx, studentOf(request), params.userId));

  serve(scope, contract.updateUserTier, async ({ request, body: { userId, newTier, endsAt, reason } }) => {
    const gift = { tier: newTier, endsAt: typeof endsAt === "string" ? new Date(endsAt) : endsAt };
    await setTier(ctx, { actor: studentOf(request), userId, reason }, gift);
    return { success: true as const, message: "User tier updated successfully" };
  });
  serve(scope, grantAccess, async ({ request, reply, body }) => {
    const given = await giveAccess(ctx, studentOf(request), body, request.headers["idempotency-key"]?.toString());
    if (given.isNew) reply.code(201);
    return given;
  });
  serve(scope, contract.cancelUserSubscription, async ({ request, body: { userId, reason } }) => {
    await cancelActive(ctx, { actor: studentOf(request), userId, reason });
    return { success: true as const, message: "User subscription cancelled successfully" };
  });
  serve(scope, contract.suspendAccount, async ({ request, body: { userId, reason } }) => {
    await suspendAccount(ctx, { actor: studentOf(request), userId, reason });
    return { success: true as const, message: "Account suspended" };
  });
  serve(scope, contract.reactivateAccount, async ({ request, body: { userId, reason } }) => {
    const reactivated = await reactivateAccount(ctx, { actor: studentOf(request), userId, reason });
    return { success: true as const, message: reactivatedWords[reactivated] };
  });
  serve(scope, contract.endUserSessions, async ({ request, body: { userId, reason } }) => {
    await signOutEverywhere(ctx, { actor: studentOf(request), userId, reason });
    return { success: true as const, message: "Signed out everywhere" };
  });
  serve(scope, contract.seeAsStudent, async ({ request, body }) => {
    await startSeeing(ctx, signedInOf(request), body);
    return { success: true as const, message: "You’re now seeing the academy as this student" };
  });
  serve(scope, contract.deleteUserAccount, async ({ request, body: { userId, reason } }) => {
    await deleteAccount(ctx, await liveUserById(ctx.db, userId), { by: { actor: studentOf(request), reason } });
    return { success: true as const, message: "User account deleted successfully" };
  });
}

const reactivatedWords = {
  opened: "Account reactivated successfully",
  "opened-for-days": "Account reactivated successfully. It's open for three days, and not again before a payment.",
  "opens-when-paid":
    "Account reactivated successfully. The card is charged within the hour, and the course opens when that succeeds.",
  unpaid: "The account stays on hold until the student pays.",
} as const;
