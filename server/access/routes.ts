import type { FastifyInstance } from "fastify";
import { getCourseAccess } from "#contract/access.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { describeAccess } from "./access.ts";

export function accessRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, getCourseAccess, ({ request }) => describeAccess(ctx, studentOf(request)));
}
