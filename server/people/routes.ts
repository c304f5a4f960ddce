import type { FastifyInstance } from "fastify";
import { acceptInvitation as acceptCall, getInvitation } from "#contract/invitations.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { acceptInvitation } from "./accept-invitation.ts";
import { describeInvitation } from "./invitations.ts";

export function invitationRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, getInvitation, ({ request }) => describeInvitation(ctx, studentOf(request)));
  serve(scope, acceptCall, async ({ request }) => ({
    success: true as const,
    ...(await acceptInvitation(ctx, studentOf(request))),
  }));
}
