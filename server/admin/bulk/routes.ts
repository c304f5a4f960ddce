import type { FastifyInstance } from "fastify";
import { batchStepNames } from "#contract/admin/batches.ts";
import * as calls from "#contract/admin/bulk-actions.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { describe, list, listPeopleOf, preview, previewUndo, selectAudience, start, takeStep, undo } from "./bulk.ts";

export function bulkRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, calls.previewBulkAction, ({ request, body }) => preview(ctx, studentOf(request), body));
  serve(scope, calls.startBulkAction, ({ request, params, body }) =>
    start(ctx, studentOf(request), { ...body, ...params }),
  );
  serve(scope, calls.listBulkActions, ({ query }) => list(ctx, query));
  serve(scope, calls.getBulkAction, ({ params }) => describe(ctx, params.id));
  serve(scope, calls.listBulkPeople, ({ params, query }) => listPeopleOf(ctx, params.id, query));
  for (const step of batchStepNames) {
    serve(scope, calls.bulkSteps[step], ({ request, params }) =>
      takeStep(ctx, { actor: studentOf(request), ...params }, step),
    );
  }
  serve(scope, calls.previewUndo, ({ params }) => previewUndo(ctx, params.id));
  serve(scope, calls.undoBulkAction, ({ request, params }) => undo(ctx, studentOf(request), params.id));
  serve(scope, calls.selectAudience, ({ body }) => selectAudience(ctx, body.selection));
}
