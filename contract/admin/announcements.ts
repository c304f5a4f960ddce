import { z } from "zod";
import { isInCalendar } from "../dates.ts";
import { endpoint } from "../endpoint.ts";
import { headerLine, line } from "../line.ts";
import { hasSafeLinks, unsafeLinks } from "../links.ts";
import { MadeFrom, Version } from "../version.ts";
import { Done, pageOf, paging, recordId } from "./admin.ts";
import { Batch, BatchState, batchSteps } from "./batches.ts";
import { UserFilter } from "./users.ts";

/**
 * The recipients. Always limited to people with a confirmed address who are not suspended and have not unsubscribed.
 */
export const Audience = z
  .string()
  .max(1500)
  .refine(isAudience, "Choose who gets it")
  .describe(
    "everybody; filter: and a filter of the list of users as a query string, such as filter:tier=premium&progress=not-begun&lesson=lesson-1-1; or selection: and people who were selected in that list",
  );
export type Audience = z.infer<typeof Audience>;

export function audienceOf(filter: UserFilter): Audience {
  const fields = Object.entries(filter).flatMap(([name, value]) => (value ? [[name, value] as [string, string]] : []));
  return fields.length > 0 ? `filter:${new URLSearchParams(fields)}` : "everybody";
}

/** The audience with each field of its filter once and in one order, as it is stored. */
export function canonicalAudience(audience: string): Audience {
  const { data } = UserFilter.safeParse(filterIn(audience));
  return data ? audienceOf(data) : audience;
}

/** Null for people who were selected one by one. */
export function filterIn(audience: string): UserFilter | null {
  const [kind = "", value = ""] = audience.split(/:(.*)/s);
  if (audience === "everybody") return {};
  if (kind === "filter") return Object.fromEntries(new URLSearchParams(value));
  // Audiences of the first release, which its nodes also write while both releases run.
  if (kind === "stopped-at") return { progress: "stopped-at", lesson: value };
  if (kind === "tier") return { tier: value as UserFilter["tier"] };
  if (kind !== "state") return null;
  if (value === "former") return { show: value };
  return value === "declined" ? { show: "renewal-declined" } : { status: value as UserFilter["status"] };
}

function isAudience(text: string): boolean {
  const { data } = UserFilter.safeParse(filterIn(text));
  return selectionIn(text) !== null || (data !== undefined && (data.progress !== "stopped-at" || Boolean(data.lesson)));
}

/** The id of a selection, or null. */
export function selectionIn(audience: string): string | null {
  return /^selection:([a-z0-9-]{1,40})$/.exec(audience)?.[1] ?? null;
}

export const AnnouncementText = z.strictObject({
  subject: headerLine(120),
  text: z
    .string()
    .trim()
    .min(1, "Required")
    .max(5000, "Use 5000 characters or fewer")
    .refine(hasSafeLinks, unsafeLinks)
    .describe("Markdown. The email begins with a greeting by name"),
  button: z
    .strictObject({ label: line(60), url: z.url({ protocol: /^https?$/, error: "A whole address" }).max(500) })
    .nullable()
    .describe("Under the text; null: none"),
  audience: Audience,
  toTeam: z.boolean().default(false).describe("Also goes to people of the audience who belong to the team"),
});
export type AnnouncementText = z.infer<typeof AnnouncementText>;

export const SendAt = z
  .strictObject({
    day: z.iso.date().refine(isInCalendar, "Enter a year from 2000 to 2199"),
    time: z.iso.time({ precision: -1, error: "Enter a time, such as 09:00" }),
    zone: z
      .enum(["academy", "student"])
      .describe("Whose clock shows that time: the academy's, or each student's, where it is known"),
  })
  .describe("A time on the clock, also when clocks change before it");
export type SendAt = z.infer<typeof SendAt>;

export const AnnouncementState = z.enum(["draft", "scheduled", ...BatchState.options]);
export type AnnouncementState = z.infer<typeof AnnouncementState>;

export const Announcement = AnnouncementText.extend({
  ...Batch.shape,
  // Plain, so that a row that a newer rule refuses can still be read.
  subject: z.string(),
  text: z.string(),
  audience: z.string(),
  version: Version.describe("Changes with what is written, whom it goes to, and when it is scheduled"),
  state: AnnouncementState,
  lessonTitle: z.string().nullable().describe("The title of the lesson that the audience names"),
  failed: z.int().describe("Their mail server refused it for good"),
  sendAt: SendAt.nullable().describe(
    "When it is scheduled for, in the academy's current time zone; null: sent right away",
  ),
  startedAt: z.iso.datetime().nullable().describe("When it was sent or scheduled"),
  startsAt: z.iso
    .datetime()
    .nullable()
    .describe("When sending begins, and then when the first email goes out; null unless it is scheduled or being sent"),
  endsAt: z.iso
    .datetime()
    .nullable()
    .describe("When the last email goes out, as planned; null unless it is being sent"),
}).meta({ id: "Announcement" });
export type Announcement = z.infer<typeof Announcement>;

const path = "/api/admin/announcements";
const params = z.object({ id: recordId });

export const listAnnouncements = endpoint({
  method: "GET",
  path,
  summary: "The announcements, the newest first, a page of them, each with how far its sending is",
  permission: "announcements:send",
  query: z.strictObject(paging),
  reply: pageOf(Announcement),
});

export const getAnnouncement = endpoint({
  method: "GET",
  path: `${path}/{id}`,
  summary: "An announcement, with how far its sending is",
  permission: "announcements:send",
  params,
  reply: Announcement,
});

export const createAnnouncement = endpoint({
  method: "POST",
  path,
  summary: "Makes a draft of an announcement",
  permission: "announcements:send",
  withoutFreshSignIn: "A draft is visible to the team only",
  body: AnnouncementText,
  reply: Announcement,
});

export const changeAnnouncement = endpoint({
  method: "PUT",
  path: `${path}/{id}`,
  summary: "Changes a draft; what was sent stays as it was. 409 when it was changed since it was read",
  permission: "announcements:send",
  withoutFreshSignIn: "A draft is visible to the team only",
  params,
  query: MadeFrom,
  body: AnnouncementText,
  reply: Announcement,
});

export const deleteAnnouncement = endpoint({
  method: "DELETE",
  path: `${path}/{id}`,
  summary: "Deletes a draft. 409 when it was changed since it was read",
  permission: "announcements:send",
  withoutFreshSignIn: "A draft is visible to the team only",
  params,
  query: MadeFrom,
  body: z.strictObject({}).nullish(),
  reply: Done,
});

const Recipient = z.object({ id: z.string(), name: z.string().nullable(), email: z.string() });

export const AudiencePage = pageOf(Recipient)
  .extend({
    unsubscribed: z.int().describe("Belong to the audience and want no announcements"),
    unconfirmed: z.int().describe("Belong to the audience and have not confirmed their address"),
    suspended: z.int(),
    team: z.int().describe("Belong to the audience and to the team"),
  })
  .meta({ id: "AudiencePage" });
export type AudiencePage = z.infer<typeof AudiencePage>;

export const getAudience = endpoint({
  method: "GET",
  path: "/api/admin/audience",
  summary: "Who would get an announcement now, who joined last first, a page of them, and how many are left out",
  permission: "announcements:send",
  query: z.strictObject({ audience: Audience, toTeam: z.enum(["true", "false"]).default("false"), ...paging }),
  reply: AudiencePage,
});

export const testAnnouncement = endpoint({
  method: "POST",
  path: `${path}/{id}/test`,
  summary: "Emails the announcement as it is to the administrator who asks",
  permission: "announcements:send",
  withoutFreshSignIn: "Emails only the person who asks",
  params,
  body: z.strictObject({}),
  reply: Done,
});

export const SendBody = z.strictObject({
  recipients: z.int().min(1).describe("As many as were shown"),
  sendAt: SendAt.optional().describe("Without it, a minute from now"),
});

export const sendAnnouncement = endpoint({
  method: "POST",
  path: `${path}/{id}/send`,
  summary:
    "Fixes who gets it and begins to send a minute later, or schedules both; a scheduled one can be scheduled anew. 409 when more people would get it than `recipients` says, and when it was changed since it was read",
  permission: "announcements:send",
  params,
  query: MadeFrom,
  body: SendBody,
  reply: Announcement,
});

export const cancelAnnouncement = endpoint({
  method: "POST",
  path: `${path}/{id}/cancel`,
  summary: "Makes a scheduled announcement a draft again. 409 once it is being sent",
  permission: "announcements:send",
  withoutFreshSignIn: "Only ends what was scheduled",
  params,
  body: z.strictObject({}),
  reply: Announcement,
});

export const announcementSteps = batchSteps({
  path,
  noun: "an announcement",
  permission: "announcements:send",
  reply: Announcement,
});

/** The email as HTML, as its recipient sees it. */
export const announcementPreviewPath = `${path}/{id}/preview`;
