import type { FastifyInstance } from "fastify";
import * as calls from "#contract/admin/bulk-actions.ts";
import * as filters from "#contract/admin/saved-filters.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { deleteFilter, listSavedFilters, renameFilter, saveFilter } from "#server/people/saved-filters.ts";
import { describe, list, listPeopleOf, preview, previewUndo, selectAudience, start, stop, undo } from "./bulk.ts";

export function bulkRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, calls.previewBulkAction, ({ request, body }) => preview(ctx, studentOf(request), body));
  serve(scope, calls.startBulkAction, ({ request, params, body }) =>
    start(ctx, studentOf(request), { ...body, ...params }),
  );
  serve(scope, calls.listBulkActions, () => list(ctx));
  serve(scope, calls.getBulkAction, ({ params }) => describe(ctx, params.id));
  serve(scope, calls.listBulkPeople, ({ params, query }) => listPeopleOf(ctx, params.id, query));
  serve(scope, calls.stopBulkAction, ({ request, params }) => stop(ctx, studentOf(request), params.id));
  serve(scope, calls.previewUndo, ({ params }) => previewUndo(ctx, params.id));
  serve(scope, calls.undoBulkAction, ({ request, params }) => undo(ctx, studentOf(request), params.id));
  serve(scope, calls.selectAudience, ({ body }) => selectAudience(ctx, body.selection));
}

export function savedFilterRoutes(scope: FastifyInstance, { db, clock }: Context): void {
  serve(scope, filters.listSavedFilters, ({ request }) => listSavedFilters(db, studentOf(request).id));
  serve(scope, filters.saveFilter, ({ request, body }) => saveFilter(db, studentOf(request).id, body, clock.now()));
  serve(scope, filters.renameFilter, ({ request, params, body }) =>
    renameFilter(db, { ...params, userId: studentOf(request).id }, body.name),
  );
  serve(scope, filters.deleteFilter, async ({ request, params }) => {
    await deleteFilter(db, { ...params, userId: studentOf(request).id });
    return { success: true as const, message: "Filter deleted" };
  });
}
