import type { FastifyInstance } from "fastify";
import * as contract from "#contract/admin/tokens.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { serveAction } from "../serve-action.ts";
import { studentOf } from "../sessions/sessions.ts";
import { createToken, listTokens, revokeToken } from "./tokens.ts";

export function tokenRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, contract.listTokens, () => listTokens(ctx));
  serve(scope, contract.createToken, async ({ request, reply, body }) => {
    reply.code(201);
    return createToken(ctx, studentOf(request), body);
  });
  serveAction(scope, contract.revokeToken, "Token revoked", (actor, { params }) => revokeToken(ctx, actor, params.id));
}
