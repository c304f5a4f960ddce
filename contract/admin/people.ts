import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { headerLine } from "../line.ts";
import { Done, recordId } from "./admin.ts";

const text = z.string().trim().min(1, "Required").max(5000, "Use 5000 characters or fewer");
const params = z.object({ userId: recordId });

export const PersonNote = z
  .object({ id: z.string(), text: z.string(), author: z.string(), writtenAt: z.iso.datetime() })
  .meta({ id: "PersonNote" });
export type PersonNote = z.infer<typeof PersonNote>;

export const PersonMail = z
  .object({
    id: z.string(),
    subject: z.string(),
    text: z.string(),
    author: z.string(),
    writtenAt: z.iso.datetime(),
    sentAt: z.iso.datetime().nullable().describe("Null: on its way"),
  })
  .meta({ id: "PersonMail" });
export type PersonMail = z.infer<typeof PersonMail>;

export const Correspondence = z
  .object({
    notes: z.array(PersonNote).describe("For administrators alone, the newest first"),
    mails: z.array(PersonMail).describe("What administrators wrote to this person, the newest first"),
  })
  .meta({ id: "Correspondence" });
export type Correspondence = z.infer<typeof Correspondence>;

export const getCorrespondence = endpoint({
  method: "GET",
  path: "/api/admin/users/{userId}/correspondence",
  // Has the team's notes about a person.
  tokenScope: null,
  summary: "The notes on a user, and what administrators wrote to them",
  permission: "people:read",
  params,
  reply: Correspondence,
});

export const NewMail = z.strictObject({ subject: headerLine(120), text });
export const NewNote = z.strictObject({ text });

export const writeToUser = endpoint({
  method: "POST",
  path: "/api/admin/users/{userId}/mails",
  summary: "Emails a user; what they answer arrives at support",
  permission: "people:write",
  params,
  body: NewMail,
  reply: Done,
});

export const addUserNote = endpoint({
  method: "POST",
  path: "/api/admin/users/{userId}/notes",
  summary: "Writes a note on a user, for administrators alone; it goes with the account",
  permission: "people:write",
  params,
  body: NewNote,
  reply: Done,
});

export const deleteUserNote = endpoint({
  method: "DELETE",
  path: "/api/admin/users/{userId}/notes/{noteId}",
  summary: "Deletes a note on a user",
  permission: "people:write",
  params: params.extend({ noteId: recordId }),
  body: z.strictObject({}).nullish(),
  reply: Done,
});
