import { z } from "zod";
import { AccountStatus } from "../access.ts";
import { endpoint } from "../endpoint.ts";
import { Tier } from "../tiers.ts";
import { MadeFrom, Version } from "../version.ts";
import { Count, Done, paging, reason, recordId, search } from "./admin.ts";

export const ContactState = z.enum(["new", "open", "answered"]);
export type ContactState = z.infer<typeof ContactState>;

export const AdminContact = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    message: z.string(),
    state: ContactState,
    isSuspected: z.boolean().describe("Written as programs write: the hidden field was filled, or in two seconds"),
    replies: z.int().describe("How many were sent from here"),
    userId: z.string().nullable().describe("The account whose verified address this is"),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "AdminContact" });
export type AdminContact = z.infer<typeof AdminContact>;

/** Filters of messages. Each word of `search` must occur in name, address or text. */
export const ContactFilter = z.strictObject({
  search,
  state: z
    .enum([...ContactState.options, "unanswered"])
    .optional()
    .describe("Unanswered: new or open"),
});

export const ContactListQuery = ContactFilter.extend(paging);
export type ContactListQuery = z.infer<typeof ContactListQuery>;

export const listContacts = endpoint({
  method: "GET",
  path: "/api/admin/contacts",
  summary: "The messages of the contact form, newest first, a page of them",
  permission: "messages:answer",
  query: ContactListQuery,
  reply: z.array(AdminContact),
});

export const countContacts = endpoint({
  method: "GET",
  path: "/api/admin/contacts/count",
  summary: "How many messages the same filter finds",
  permission: "messages:answer",
  query: ContactFilter,
  reply: Count,
});

export const ContactDetail = z
  .object({
    contact: AdminContact,
    replies: z
      .array(
        z.object({
          id: z.string(),
          text: z.string(),
          author: z.string().describe("The administrator's name, or address"),
          writtenAt: z.iso.datetime(),
          sentAt: z.iso.datetime().nullable().describe("Null while the email is on its way out"),
        }),
      )
      .describe("Oldest first"),
    version: Version.describe("Changes when somebody answers it, or marks it as answered"),
    account: z
      .object({
        id: z.string(),
        name: z.string(),
        email: z.string(),
        purchasedTier: Tier.nullable(),
        accountStatus: AccountStatus,
        createdAt: z.iso.datetime(),
      })
      .nullable()
      .describe("The person's account, when the address is its verified one"),
    others: z
      .array(z.object({ id: z.string(), message: z.string(), state: ContactState, createdAt: z.iso.datetime() }))
      .describe("Other messages from the same address, newest first"),
  })
  .meta({ id: "ContactDetail" });
export type ContactDetail = z.infer<typeof ContactDetail>;

export const getContactDetail = endpoint({
  method: "GET",
  path: "/api/admin/contacts/{contactId}",
  summary: "One message, what was answered, and whose account it comes from",
  permission: "messages:answer",
  params: z.object({ contactId: recordId }),
  reply: ContactDetail,
});

export const ContactReply = z.strictObject({
  contactId: recordId,
  text: z.string().trim().min(1, "Required").max(5000, "Use 5000 characters or fewer"),
});

export const replyToContact = endpoint({
  method: "POST",
  path: "/api/admin/reply-to-contact",
  summary:
    "Answers a message by email; an answer goes to support. The message is answered then. 409 when it was answered since it was read",
  permission: "messages:answer",
  query: MadeFrom,
  body: ContactReply,
  reply: Done,
});

/** The maximum of messages that one call marks. */
export const maxMarked = 200;

export const Marked = Done.extend({
  marks: z.array(recordId).describe("What undoing it takes: one for each message that moved"),
}).meta({ id: "Marked" });
export type Marked = z.infer<typeof Marked>;

export const markContact = endpoint({
  method: "POST",
  path: "/api/admin/mark-contact",
  summary: "Puts a message on another pile: new, open or answered",
  permission: "messages:answer",
  body: z.strictObject({ contactId: recordId, state: ContactState }),
  reply: Marked,
});

export const markContacts = endpoint({
  method: "POST",
  path: "/api/admin/mark-contacts",
  summary: "Puts many messages on another pile; those that are there, or gone, are left as they are",
  permission: "messages:answer",
  body: z.strictObject({ contactIds: z.array(recordId).min(1).max(maxMarked), state: ContactState }),
  reply: Marked,
});

export const undoMarks = endpoint({
  method: "POST",
  path: "/api/admin/undo-marks",
  summary:
    "Puts messages back where marks of the last 30 days took them from, unless something was done with them since. 409 when none is left",
  permission: "messages:answer",
  body: z.strictObject({ marks: z.array(recordId).min(1).max(maxMarked) }),
  reply: Done,
});

export const deleteContact = endpoint({
  method: "POST",
  path: "/api/admin/delete-contact",
  summary: "Erases a message with its replies, for spam and for anybody who asks to be forgotten",
  permission: "people:delete",
  body: z.strictObject({ contactId: recordId, reason }),
  reply: Done,
});
