import { z } from "zod";
import { isInCalendar } from "../dates.ts";
import { endpoint } from "../endpoint.ts";
import { pageOf, paging, search } from "./admin.ts";

export const AuditEntry = z
  .object({
    id: z.string(),
    actor: z.string().describe("The administrator's user id, or `system`"),
    actorName: z.string().describe("Name or address as it is today; `Deleted account`; `system`"),
    token: z.string().nullable().describe("The name of the actor's token, where another tool did it"),
    action: z.string().describe("In words, such as `hold account`"),
    subject: z.string().describe("The id of what was acted on"),
    subjectKind: z.enum([
      "user",
      "purchase",
      "contact",
      "module",
      "lesson",
      "question",
      "plan",
      "offer",
      "settings",
      "copy",
      "email",
      "coupon",
      "claim",
      "announcement",
      "resource",
      "discrepancy",
      "other",
    ]),
    subjectName: z.string().nullable().describe("As it is today, a purchase with its buyer; null when it is gone"),
    before: z.unknown().describe("The fields that changed, as they were"),
    after: z.unknown(),
    reason: z.string().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof AuditEntry>;

const day = z.iso.date().refine(isInCalendar, "Not a day of this calendar");

export const AuditFilter = z.strictObject({
  actor: search.describe("An id, or words of a name or an email address"),
  subject: search.describe("An id, or words of the name of who or what it was done to"),
  action: search.describe("Part of the action's words"),
  from: day.optional().describe("The first day, in the academy's time zone"),
  to: day.optional().describe("The last day, in the academy's time zone"),
});

export const AuditListQuery = AuditFilter.extend(paging);
export type AuditListQuery = z.infer<typeof AuditListQuery>;

export const listAudit = endpoint({
  method: "GET",
  path: "/api/admin/audit",
  summary: "Who did what to whom, newest first, a page of it",
  permission: "audit:read",
  query: AuditListQuery,
  reply: pageOf(AuditEntry),
});
