import type { FastifyInstance } from "fastify";
import {
  invite as inviteCall,
  listInvitations as listInvitationsCall,
  revokeInvitation as revokeCall,
} from "#contract/admin/invitations.ts";
import { addUserNote, deleteUserNote, getCorrespondence, writeToUser } from "#contract/admin/people.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { serveAction } from "#server/identity/serve-action.ts";
import { requireWritable } from "#server/mail/recipients.ts";
import { invite, listInvitations, revokeInvitation } from "./invitations.ts";
import { addNote, deleteNote, describeCorrespondence, writeToPerson } from "./people.ts";

export function peopleRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, listInvitationsCall, ({ query }) => listInvitations(ctx, query));
  serveAction(scope, inviteCall, "Invitation sent", async (actor, { body }) => {
    await requireWritable(ctx.mail, "email", body.email);
    await invite(ctx, actor, body);
  });
  serveAction(scope, revokeCall, "Invitation cancelled", (actor, { params }) =>
    revokeInvitation(ctx, actor, params.id),
  );
  serve(scope, getCorrespondence, ({ params }) => describeCorrespondence(ctx, params.userId));
  serveAction(scope, writeToUser, "The email is on its way", (actor, { params, body }) =>
    writeToPerson(ctx, { actor, ...params }, body),
  );
  serveAction(scope, addUserNote, "Note kept", (actor, { params, body }) =>
    addNote(ctx, { actor, ...params }, body.text),
  );
  serveAction(scope, deleteUserNote, "Note deleted", (actor, { params: { userId, noteId } }) =>
    deleteNote(ctx, { actor, userId }, noteId),
  );
}
