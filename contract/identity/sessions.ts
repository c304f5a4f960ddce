import { z } from "zod";
import { endpoint } from "../endpoint.ts";

export const Session = z
  .object({
    id: z.string().describe("Names the session in this list; it signs nobody in"),
    browser: z.string().describe('In words, such as "Firefox"; "Unknown browser" when it does not say'),
    system: z.string().nullable().describe('In words, such as "Windows"; null when it does not say'),
    signedInAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime().describe("To the hour"),
    isCurrent: z.boolean().describe("The one that asks"),
  })
  .meta({ id: "Session" });
export type Session = z.infer<typeof Session>;

export const listSessions = endpoint({
  method: "GET",
  path: "/api/user/sessions",
  summary: "Where the signed-in person is signed in: the session that asks first, then those used last",
  whileSeeing: "refused",
  reply: z.array(Session),
});

export const endSession = endpoint({
  method: "DELETE",
  path: "/api/user/sessions/{id}",
  summary: "Ends one session of the person",
  params: z.object({ id: z.string().max(64) }),
  reply: z.array(Session).describe("What is left"),
});

export const endOtherSessions = endpoint({
  method: "POST",
  path: "/api/user/sessions/end-others",
  summary: "Signs the person out everywhere but here",
  reply: z.array(Session).describe("What is left: the session that asks"),
});
