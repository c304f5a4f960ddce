import type { FastifyInstance } from "fastify";
import {
  countContacts as countContactsCall,
  deleteContact,
  getContactDetail,
  listContacts as listContactsCall,
  markContact,
  markContacts,
  replyToContact,
  undoMarks as undoMarksCall,
} from "#contract/admin/contacts.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { serveAction } from "#server/identity/serve-action.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { countContacts, describeContact, listContacts } from "./administration.ts";
import { eraseMessage, moveMessage, moveMessages, replyToMessage, undoMarks } from "./inbox.ts";

export function inboxRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, listContactsCall, ({ query }) => listContacts(ctx, query));
  serve(scope, countContactsCall, ({ query }) => countContacts(ctx, query));
  serve(scope, getContactDetail, ({ params }) => describeContact(ctx, params.contactId));

  serveAction(scope, replyToContact, "Reply sent", (actor, { query, body }) =>
    replyToMessage(ctx, actor, body, query.version),
  );
  serve(scope, markContact, async ({ request, body }) => {
    const marks = [await moveMessage(ctx, studentOf(request), body.contactId, body.state)];
    return { success: true as const, message: `Message marked as ${body.state}`, marks };
  });
  serve(scope, markContacts, async ({ request, body: { contactIds, state } }) => {
    const marks = await moveMessages(ctx, studentOf(request), contactIds, state);
    return { success: true as const, message: `${messageWords(marks.length)} marked as ${state}`, marks };
  });
  serve(scope, undoMarksCall, async ({ request, body: { marks } }) => {
    const undone = await undoMarks(ctx, studentOf(request), marks);
    const left = marks.length - undone;
    const rest = left === 0 ? "" : `. ${messageWords(left)} changed since`;
    return { success: true as const, message: `Undone for ${messageWords(undone)}${rest}` };
  });
  serveAction(scope, deleteContact, "Message deleted", (actor, { body }) =>
    eraseMessage(ctx, actor, body.contactId, body.reason),
  );
}

function messageWords(count: number): string {
  return count === 1 ? "1 message" : `${count} messages`;
}
