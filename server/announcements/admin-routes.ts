import type { FastifyInstance } from "fastify";
import * as calls from "#contract/admin/announcements.ts";
import { batchStepNames } from "#contract/admin/batches.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { serveAction } from "#server/identity/serve-action.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { cancel, change, create, remove, send, takeStep, test } from "./administration.ts";
import { describeAnnouncement, describeAudience, listAnnouncements } from "./announcements.ts";
import { previewAnnouncement } from "./sending.ts";

/** Keeps scripts and resources of the previewed mail from running and loading. */
export const previewPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; sandbox; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function announcementRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, calls.listAnnouncements, ({ query }) => listAnnouncements(ctx.db, query));
  serve(scope, calls.getAnnouncement, ({ params }) => describeAnnouncement(ctx.db, params.id));
  serve(scope, calls.createAnnouncement, ({ request, body }) => create(ctx, studentOf(request), body));
  serve(scope, calls.getAudience, ({ query: { audience, toTeam, ...page } }) =>
    describeAudience(ctx, { audience, toTeam: toTeam === "true" }, page),
  );
  serve(scope, calls.changeAnnouncement, ({ request, params, query, body }) =>
    change(ctx, { actor: studentOf(request), ...params, ...query }, body),
  );
  serveAction(scope, calls.deleteAnnouncement, "Draft deleted", (actor, { params, query }) =>
    remove(ctx, { actor, ...params, ...query }),
  );
  serve(scope, calls.testAnnouncement, async ({ request, params }) => {
    const actor = studentOf(request);
    await test(ctx, { actor, ...params });
    return { success: true as const, message: `A test is on its way to ${actor.email}` };
  });
  serve(scope, calls.sendAnnouncement, ({ request, params, query, body }) =>
    send(ctx, { actor: studentOf(request), ...params, ...query }, body),
  );
  serve(scope, calls.cancelAnnouncement, ({ request, params }) =>
    cancel(ctx, { actor: studentOf(request), ...params }),
  );
  for (const step of batchStepNames) {
    serve(scope, calls.announcementSteps[step], ({ request, params }) =>
      takeStep(ctx, { actor: studentOf(request), ...params }, step),
    );
  }

  scope.get<{ Params: { id: string } }>(
    calls.announcementPreviewPath.replace("{id}", ":id"),
    { schema: { hide: true }, config: { permission: "announcements:send" } },
    async (request, reply) => {
      const mail = await previewAnnouncement(ctx, request.params.id, studentOf(request));
      return reply.type("text/html; charset=utf-8").header("content-security-policy", previewPolicy).send(mail);
    },
  );
}
