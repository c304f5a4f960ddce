import type { FastifyInstance } from "fastify";
import {
  addBookmark as addBookmarkCall,
  editBookmark as editBookmarkCall,
  listBookmarks,
  removeBookmark as removeBookmarkCall,
} from "#contract/notes.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { addBookmark, editBookmark, listBookmarksOf, removeBookmark } from "./notes.ts";

/** Changing and deleting one's own words is open also while the account is on hold or suspended. */
export function bookmarkRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, listBookmarks, ({ request }) => listBookmarksOf(ctx.db, studentOf(request).id));
  serve(scope, addBookmarkCall, ({ request, body }) => addBookmark(ctx, studentOf(request), body));
  serve(scope, editBookmarkCall, ({ request, params, body }) =>
    editBookmark(ctx, studentOf(request), params.id, body.note),
  );
  serve(scope, removeBookmarkCall, async ({ request, params }) => {
    await removeBookmark(ctx, studentOf(request), params.id);
    return { success: true as const };
  });
}
