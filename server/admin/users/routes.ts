import type { FastifyInstance } from "fastify";
import {
  cancelUserSubscription,
  countUsers as countUsersCall,
  deleteUserAccount,
  endUserSessions,
  getUserDetail,
  listUsers as listUsersCall,
  reactivateAccount,
  suspendAccount,
  updateUserTier,
} from "#contract/admin/users.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { cancel, reactivate, remove, setTier, signOutEverywhere, suspend } from "./actions.ts";
import { countUsers, describeUser, listUsers } from "./users.ts";

export function userRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, listUsersCall, ({ request, query }) => listUsers(ctx, studentOf(request), query));
  serve(scope, countUsersCall, ({ query }) => countUsers(ctx, query));
  serve(scope, getUserDetail, ({ request, params }) => describeUser(ctx, studentOf(request), params.userId));

  serve(scope, updateUserTier, async ({ request, body: { userId, newTier, endsAt, reason } }) => {
    const gift = { tier: newTier, endsAt: typeof endsAt === "string" ? new Date(endsAt) : endsAt };
    await setTier(ctx, { actor: studentOf(request), userId, reason }, gift);
    return { success: true as const, message: "User tier updated successfully" };
  });
  serve(scope, cancelUserSubscription, async ({ request, body: { userId, reason } }) => {
    await cancel(ctx, { actor: studentOf(request), userId, reason });
    return { success: true as const, message: "User subscription cancelled successfully" };
  });
  serve(scope, suspendAccount, async ({ request, body: { userId, reason } }) => {
    await suspend(ctx, { actor: studentOf(request), userId, reason });
    return { success: true as const, message: "Account suspended" };
  });
  serve(scope, reactivateAccount, async ({ request, body: { userId, reason } }) => {
    const reactivated = await reactivate(ctx, { actor: studentOf(request), userId, reason });
    return { success: true as const, message: reactivatedWords[reactivated] };
  });
  serve(scope, endUserSessions, async ({ request, body: { userId, reason } }) => {
    await signOutEverywhere(ctx, { actor: studentOf(request), userId, reason });
    return { success: true as const, message: "Signed out everywhere" };
  });
  serve(scope, deleteUserAccount, async ({ request, body: { userId, reason } }) => {
    await remove(ctx, { actor: studentOf(request), userId, reason });
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
