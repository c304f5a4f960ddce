import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { headerLine, line } from "../line.ts";
import { hasSafeLinks, unsafeLinks } from "../links.ts";
import { Tier } from "../tiers.ts";
import { MadeFrom, Version } from "../version.ts";
import { Done, pageOf, paging, recordId } from "./admin.ts";
import { Batch, BatchState, batchSteps } from "./batches.ts";

const audienceStates = ["active", "on_hold", "declined", "former"] as const;
export type AudienceState = (typeof audienceStates)[number];

/**
 * The recipients. Always limited to people with a confirmed address who are not suspended and have not unsubscribed.
 */
export const Audience = z
  .union([
    z.literal("everybody"),
    z.templateLiteral(["tier:", z.enum(["none", ...Tier.options])]),
    z.templateLiteral(["state:", z.enum(audienceStates)]),
    z.templateLiteral(["stopped-at:", z.string().regex(/^[a-z0-9-]{1,40}$/)]),
    z.templateLiteral(["selection:", z.string().regex(/^[a-z0-9-]{1,40}$/)]),
  ])
  .describe(
    "everybody; a tier, or tier:none; a state of the account (active, on_hold), of the renewal (declined), or former: had a plan and has none; stopped-at: the lesson that they came furthest to and did not complete; selection: people who were selected in the list of users",
  );
export type Audience = z.infer<typeof Audience>;

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
});
export type AnnouncementText = z.infer<typeof AnnouncementText>;

export const AnnouncementState = z.enum(["draft", ...BatchState.options]);
export type AnnouncementState = z.infer<typeof AnnouncementState>;

export const Announcement = AnnouncementText.extend({
  ...Batch.shape,
  version: Version.describe("Changes with what is written and whom it goes to"),
  state: AnnouncementState,
  lessonTitle: z.string().nullable().describe("Of the lesson that the audience stopped at"),
  failed: z.int().describe("Their mail server refused it for good"),
  startedAt: z.iso.datetime().nullable(),
  startsAt: z.iso.datetime().nullable().describe("When the first email goes out; null unless it is being sent"),
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
  })
  .meta({ id: "AudiencePage" });
export type AudiencePage = z.infer<typeof AudiencePage>;

export const getAudience = endpoint({
  method: "GET",
  path: "/api/admin/audience",
  summary: "Who would get an announcement now, who joined last first, a page of them, and how many are left out",
  permission: "announcements:send",
  query: z.strictObject({ audience: Audience, ...paging }),
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

export const sendAnnouncement = endpoint({
  method: "POST",
  path: `${path}/{id}/send`,
  summary:
    "Fixes who gets it and begins to send a minute later. 409 when more people would get it than `recipients` says, and when it was changed since it was read",
  permission: "announcements:send",
  params,
  query: MadeFrom,
  body: z.strictObject({ recipients: z.int().min(1).describe("As many as were shown") }),
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
