import { create as attachment } from "content-disposition";
import type { FastifyInstance } from "fastify";
import { deleteUser, exportData as exportDataCall, updateProfile } from "#contract/profile.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { requireRecentSignIn } from "#server/identity/sessions/fresh-sign-in.ts";
import { closeSession, signedInOf, studentOf } from "#server/identity/sessions/sessions.ts";
import { deleteAccount } from "./delete-account.ts";
import { exportData } from "./export.ts";
import { saveProfile } from "./profile.ts";

/** Allowed also while the account is on hold or suspended. */
export function profileRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, updateProfile, ({ request, query, body }) => saveProfile(ctx, studentOf(request), body, query.version));

  serve(scope, exportDataCall, async ({ request, reply }) => {
    const signedIn = signedInOf(request);
    requireRecentSignIn(ctx, signedIn);
    const archive = await exportData(ctx, signedIn);
    const name = `your-data-${ctx.clock.now().toISOString().slice(0, 10)}.zip`;
    reply.type("application/zip").header("content-disposition", attachment(name));
    return archive;
  });

  serve(scope, deleteUser, async ({ request, reply }) => {
    const signedIn = signedInOf(request);
    requireRecentSignIn(ctx, signedIn);
    await deleteAccount(ctx, signedIn.user);
    await closeSession(ctx, request, reply);
    reply.header("clear-site-data", '"cache", "storage"');
    return { success: true as const, message: "Your account is deleted." };
  });
}
