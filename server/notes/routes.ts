import type { FastifyInstance } from "fastify";
import { deleteNote as deleteNoteCall, listNotes, saveNote as saveNoteCall } from "#contract/notes.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { deleteNote, listNotesOf, saveNote } from "./notes.ts";

/** Changing and deleting one's own words is open also while the account is on hold or suspended. */
export function noteRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, listNotes, ({ request }) => listNotesOf(ctx.db, studentOf(request).id));
  serve(scope, saveNoteCall, ({ request, params, body }) => saveNote(ctx, studentOf(request), params.id, body));
  serve(scope, deleteNoteCall, async ({ request, params }) => {
    await deleteNote(ctx, studentOf(request), params.id);
    return { success: true as const };
  });
}
