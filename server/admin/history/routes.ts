import type { FastifyInstance } from "fastify";
import { listAudit as listAuditCall } from "#contract/admin/audit.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { listAudit } from "./history.ts";

export function historyRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, listAuditCall, ({ query }) => listAudit(ctx, query));
}
