import type { FastifyInstance } from "fastify";
import {
  exemptClaim,
  listClaims,
  recordClaim,
  removeClaimRecord,
  restoreClaims,
  withdrawClaims,
} from "#contract/admin/claims.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { serveAction } from "#server/identity/serve-action.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { addRecord, describeClaims, exemptClaim as exempt, removeRecord, restore, withdraw } from "./claims.ts";

export function claimRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, listClaims, () => describeClaims(ctx.db, ctx.clock.now()));
  serve(scope, withdrawClaims, ({ request, body }) => withdraw(ctx, studentOf(request), body.only));
  serve(scope, restoreClaims, ({ request, body }) => restore(ctx, studentOf(request), body.only));
  serve(scope, recordClaim, ({ request, body, query }) => addRecord(ctx, studentOf(request), body, query.version));
  serve(scope, exemptClaim, ({ request, body, query }) => exempt(ctx, studentOf(request), body.claimId, query.version));
  serveAction(scope, removeClaimRecord, "Proof deleted", (actor, { params }) => removeRecord(ctx, actor, params.id));
}
