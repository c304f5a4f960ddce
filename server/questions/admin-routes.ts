import type { FastifyInstance } from "fastify";
import * as calls from "#contract/admin/questions.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { serveAction } from "#server/identity/serve-action.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import * as administration from "./administration.ts";

/** For a scope that coaches may use, too. */
export function questionQueueRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, calls.listAdminQuestions, ({ request, query }) =>
    administration.listQueue(ctx, studentOf(request), query),
  );
  serve(scope, calls.countAdminQuestions, ({ query }) => administration.countQueue(ctx, query));
  serve(scope, calls.getAdminQuestion, ({ request, params, query }) =>
    administration.describeThread(ctx, studentOf(request), params.id, query),
  );
  serveAction(scope, calls.hidePost, "Saved", (actor, { params, body }) =>
    administration.hidePost(ctx, actor, params.id, body),
  );
  serveAction(scope, calls.closeQuestion, "Saved", (actor, { params, body }) =>
    administration.closeQuestion(ctx, actor, params.id, body.isClosed),
  );
  serveAction(scope, calls.markDuplicate, "Saved", (actor, { params, body }) =>
    administration.markDuplicate(ctx, actor, params.id, body.of),
  );
  serveAction(scope, calls.dismissReports, "Reports dismissed", (actor, { params }) =>
    administration.dismissReports(ctx, actor, params.id),
  );
}
