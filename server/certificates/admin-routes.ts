import type { FastifyInstance } from "fastify";
import { restoreCertificate, withdrawCertificate } from "#contract/admin/certificates.ts";
import type { Context } from "#server/context/context.ts";
import { serveAction } from "#server/identity/serve-action.ts";
import { restore, withdraw } from "./certificates.ts";

export function certificateActionRoutes(scope: FastifyInstance, ctx: Context): void {
  serveAction(scope, withdrawCertificate, "Certificate withdrawn", (actor, { params, body }) =>
    withdraw(ctx, actor, params.userId, body.reason),
  );
  serveAction(scope, restoreCertificate, "Certificate restored", (actor, { params, body }) =>
    restore(ctx, actor, params.userId, body.reason),
  );
}
