import type { FastifyInstance } from "fastify";
import { updateProfile } from "#contract/profile.ts";
import type { Context } from "#server/context.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions.ts";
import { saveProfile } from "./profile.ts";

export function profileRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, updateProfile, ({ request, body }) => saveProfile(ctx, studentOf(request), body));
}
