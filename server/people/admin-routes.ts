import type { FastifyInstance } from "fastify";
import {
  invite as inviteCall,
  listInvitations as listInvitationsCall,
  revokeInvitation as revokeCall,
} from "#contract/admin/invitations.ts";
import { addUserNote, deleteUserNote, getCorrespondence, writeToUser } from "#contract/admin/people.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { requireWritable } from "#server/mail/recipients.ts";
import { invite, listInvitations, revokeInvitation } from "./invitations.ts";
import { addNote, deleteNote, describeCorrespondence, writeToPerson } from "./people.ts";

export function peopleRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, listInvitationsCall, ({ query }) => listInvitations(ctx, query));
  serve(scope, inviteCall, async ({ request, body }) => {
    await requireWritable(ctx.mail, "email", body.email);
    await invite(ctx, studentOf(request), body);
    return { success: true as const, message: "Invitation sent" };
  });
  serve(scope, revokeCall, async ({ request, params }) => {
    await revokeInvitation(ctx, studentOf(request), params.id);
    return { success: true as const, message: "Invitation taken back" };
  });
  serve(scope, getCorrespondence, ({ params }) => describeCorrespondence(ctx, params.userId));
  serve(scope, writeToUser, async ({ request, params, body }) => {
    await writeToPerson(ctx, { actor: studentOf(request), ...params }, body);
    return { success: true as const, message: "The mail is on its way" };
  });
  serve(scope, addUserNote, async ({ request, params, body }) => {
    await addNote(ctx, { actor: studentOf(request), ...params }, body.text);
    return { success: true as const, message: "Note kept" };
  });
  serve(scope, deleteUserNote, async ({ request, params: { userId, noteId } }) => {
    await deleteNote(ctx, { actor: studentOf(request), userId }, noteId);
    return { success: true as const, message: "Note deleted" };
  });
}
