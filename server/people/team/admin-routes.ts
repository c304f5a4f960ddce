import type { FastifyInstance } from "fastify";
import {
  changeRole as changeRoleCall,
  confirmTeam as confirmTeamCall,
  getTeam,
  inviteToTeam as inviteToTeamCall,
  previewRole as previewRoleCall,
  requireSecondFactor as requireSecondFactorCall,
  revokeTeamInvitation,
} from "#contract/admin/team.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { signedInOf, studentOf } from "#server/identity/sessions/sessions.ts";
import { requireWritable } from "#server/mail/recipients.ts";
import {
  changeRole,
  confirmTeam,
  describeTeam,
  inviteToTeam,
  previewRole,
  requireSecondFactor,
  revokeInvitation,
} from "./team.ts";

export function teamRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, getTeam, ({ request }) => describeTeam(ctx, signedInOf(request)));
  serve(scope, previewRoleCall, ({ query: { email, to } }) => previewRole(ctx, email, to === "none" ? null : to));
  serve(scope, changeRoleCall, async ({ request, params: { userId }, body: { reason, ...change } }) => {
    const actor = studentOf(request);
    await changeRole(ctx, { actor, userId, reason }, change);
    return describeTeam(ctx, signedInOf(request));
  });
  serve(scope, inviteToTeamCall, async ({ request, body: { email, role, reason } }) => {
    await requireWritable(ctx.mail, "email", email);
    const actor = studentOf(request);
    await inviteToTeam(ctx, { actor, reason }, { email, role });
    return describeTeam(ctx, signedInOf(request));
  });
  serve(scope, requireSecondFactorCall, async ({ request, body: { isRequired } }) => {
    await requireSecondFactor(ctx, signedInOf(request), isRequired);
    return describeTeam(ctx, signedInOf(request));
  });
  serve(scope, confirmTeamCall, async ({ request, body: { restoredAt } }) => {
    const actor = studentOf(request);
    await confirmTeam(ctx, actor, new Date(restoredAt));
    return describeTeam(ctx, signedInOf(request));
  });
  serve(scope, revokeTeamInvitation, async ({ request, params: { id } }) => {
    const actor = studentOf(request);
    await revokeInvitation(ctx, actor, id);
    return describeTeam(ctx, signedInOf(request));
  });
}
