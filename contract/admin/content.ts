import { z } from "zod";
import { AcademySettings } from "../academy.ts";
import { LessonKind } from "../catalogue.ts";
import { Answer, AnsweredQuestion } from "../checks.ts";
import { CoachingPromise } from "../coaching/promise.ts";
import { Copy, type CopyPart } from "../copy.ts";
import { dollars } from "../dollars.ts";
import { EmailTexts } from "../email-texts.ts";
import { endpoint } from "../endpoint.ts";
import { defaultLanguage, isLanguage } from "../languages.ts";
import { DescribedChange } from "../lesson-changes.ts";
import { line } from "../line.ts";
import { hasSafeLinks, unsafeLinks } from "../links.ts";
import { Offer } from "../offer.ts";
import { Tier } from "../tiers.ts";
import { MadeFrom, madeFrom, Version } from "../version.ts";
import { noVideo, parseVideoId } from "../video-id.ts";
import { Done, recordId } from "./admin.ts";
import { CheckContent, CheckQuestion } from "./check-content.ts";
import { notPlayable, pastedVideo, playableVideo } from "./videos.ts";

const price = dollars(1);

const opensAt = z.iso.datetime().nullable().default(null);

export const ModuleContent = z.strictObject({
  title: line(120),
  description: line(1000),
  requiredTier: Tier,
  comingSoon: z.boolean(),
  introVideo: playableVideo
    .nullable()
    .describe("Plays before the first lesson: `provider:id` or an address, as the videos of lessons; null: none"),
  opensAt: opensAt.describe("Its lessons are coming soon until then; null: no time"),
  released: z.boolean().describe("False: the module and its lessons are nowhere to be seen"),
});
export type ModuleContent = z.infer<typeof ModuleContent>;

/** What the editor writes as the description of a picture until the author does. */
export const undescribed = "Describe the picture";

const webVtt = z.string().max(500_000, "Use 500,000 characters or fewer");
const language = z.string().max(35).refine(isLanguage, "Use the tag of a language, such as en or pt-BR");

export const LessonContent = z.strictObject({
  moduleId: recordId.describe("Of a new lesson; an existing one stays where it is"),
  title: line(120),
  description: line(1000),
  duration: z
    .int("Write it as 4:05")
    .min(0)
    .max(86_400)
    .describe("Seconds; 0 while it is not produced, and with a video: as long as its service says it is"),
  videoId: pastedVideo
    .refine((id) => id === "" || id === noVideo || parseVideoId(id), notPlayable)
    .describe(
      "`provider:id`, such as youtube:dQw4w9WgXcQ, or its address; `placeholder-video` while it is not produced; empty for a text lesson",
    ),
  kind: LessonKind.default("video"),
  body: z
    .string()
    .trim()
    .max(50_000, "Use 50,000 characters or fewer")
    .refine(hasSafeLinks, unsafeLinks)
    .refine(
      (body) => !body.includes(`![${undescribed}](`),
      `Replace “${undescribed}” with a description of each picture`,
    )
    .nullable()
    .default(null)
    .describe("Markdown below the video; null: none"),
  captions: webVtt
    .nullable()
    .describe(
      "WebVTT or SubRip, kept as WebVTT, from which the transcript is made; null: none of ours, a video service may bring its own",
    ),
  captionsLanguage: language.default(defaultLanguage).describe("Of `captions`: the one that players begin with"),
  otherCaptions: z
    .array(z.strictObject({ language, captions: webVtt }))
    .max(20)
    .default([])
    .describe("In other languages, each at most once"),
  freePreview: z.boolean(),
  comingSoon: z.boolean().describe("Shown, but not played"),
  opensAt: opensAt.describe("Coming soon until then, or until its module opens; null: no time"),
  released: z.boolean().describe("False: it is nowhere to be seen"),
  check: CheckContent.nullable().default(null).describe("Questions about the lesson; null: none"),
});
export type LessonContent = z.infer<typeof LessonContent>;

export const PlanContent = z.strictObject({
  name: line(60),
  price: price.describe("US dollars. What renews already keeps the price it was bought at"),
  originalPrice: price.nullable().describe("US dollars, struck out; null: the price times the offer's factor"),
  description: line(500),
  features: z.array(line(160)).min(1, "Required").max(12),
  coaching: CoachingPromise.describe("Of who buys from now on; who bought before keeps what was promised then"),
  buttonLabel: line(40).describe("`{plan:basic}` becomes the name of the plan"),
  popular: z.boolean(),
});
export type PlanContent = z.infer<typeof PlanContent>;

/** The order of the modules, or of a module's lessons: new ones are last, and `moveContent` moves them. */
export const ContentOrder = z.strictObject({ order: z.array(z.string()) });
export type ContentOrder = z.infer<typeof ContentOrder>;

const DraftKey = z.strictObject({
  kind: z.enum(["module", "lesson", "order", "plan", "offer", "settings", "copy", "email"]),
  id: z.string().max(40),
});
export type DraftKey = z.infer<typeof DraftKey>;

/** The published content, and the drafts of the next publication. */
const versions = <Content extends z.ZodType>(content: Content) => ({
  id: z.string(),
  published: content.nullable().describe("Null for what was never published"),
  draft: content.nullable().describe("Null when nothing waits to be published"),
  draftAt: z.iso.datetime().nullable(),
  draftBy: z.string().nullable().describe("The name of whoever changed the draft last"),
  needs: z.array(DraftKey).describe("Other drafts without which this one cannot be published"),
  version: Version.describe("Changes with what is edited: the draft, or what is published"),
});

export const AcademyContent = z
  .object({
    modules: z.array(z.object(versions(ModuleContent))).describe("In their drafted order"),
    lessons: z.array(z.object(versions(LessonContent))).describe("By module, in their drafted order"),
    orders: z
      .array(z.object(versions(ContentOrder)))
      .describe(
        "Changed orders of published entries: of the modules under the id `modules`, of lessons under their module's",
      ),
    plans: z.array(
      z.object({ ...versions(PlanContent), tier: Tier, billing: z.enum(["monthly", "annual", "lifetime"]) }),
    ),
    offer: z.object(versions(Offer)).describe("Its id is `offer`"),
    settings: z.object(versions(AcademySettings)).describe("Its id is `settings`"),
    copy: z
      .array(
        z.object({
          ...versions(Copy),
          reviewedAt: z.iso
            .datetime()
            .nullable()
            .describe("When an administrator said of a legal text that it still holds as it is published"),
          publishedVersion: Version.describe("Changes with what is published: reviewLegalText takes it"),
        }),
      )
      .describe("The academy's own words; the id of each is its part"),
    emails: z
      .array(
        z.object({
          ...versions(EmailTexts),
          group: z.string(),
          name: z.string(),
          sent: z.string().describe("When it is sent"),
          originals: EmailTexts,
          whens: z.record(z.string(), z.string()).describe("Which of these emails have a text, unless all have it"),
          outdated: EmailTexts.describe(
            "Published or drafted, but unused: an update has changed the original's placeholders",
          ),
        }),
      )
      .describe("The texts of automatic emails to students; `{plan}` is a placeholder"),
    drafts: z.int().describe("How much waits to be published"),
  })
  .meta({ id: "AcademyContent" });
export type AcademyContent = z.infer<typeof AcademyContent>;

export const getContent = endpoint({
  method: "GET",
  path: "/api/admin/content",
  summary:
    "Modules, lessons, plans, the offer, the settings and the words of the pages, as they are on the pages and as they are drafted",
  permission: "content:write",
  reply: AcademyContent,
});

/** The reply to every change: the content afterwards. */
const ContentChanged = AcademyContent;
const ContentParams = z.object({ id: recordId });

export const draftModule = endpoint({
  method: "PUT",
  path: "/api/admin/content/modules/{id}",
  summary: "Drafts a module, refused when it was changed since it was read; the id `new` makes one behind the others",
  permission: "content:write",
  withoutFreshSignIn: "A draft is visible to the team only",
  params: ContentParams,
  query: MadeFrom,
  body: ModuleContent,
  reply: ContentChanged,
});

export const draftLesson = endpoint({
  method: "PUT",
  path: "/api/admin/content/lessons/{id}",
  summary:
    "Drafts a lesson, refused when it was changed since it was read; the id `new` makes one at the end of the module of the body",
  permission: "content:write",
  withoutFreshSignIn: "A draft is visible to the team only",
  params: ContentParams,
  query: MadeFrom,
  body: LessonContent,
  reply: ContentChanged,
});

export const previewText = endpoint({
  method: "POST",
  path: "/api/admin/content/preview-text",
  summary: "A formatted text as pages show it",
  permission: "content:write",
  withoutFreshSignIn: "Changes nothing",
  body: z.strictObject({ text: z.string().max(50_000) }),
  reply: z.object({ html: z.string() }),
});

export const tryQuestion = endpoint({
  method: "POST",
  path: "/api/admin/content/try-question",
  summary: "Asks the author a question of a check, or grades an answer to it, as for a student; stores nothing",
  permission: "content:write",
  withoutFreshSignIn: "Changes nothing",
  body: z.strictObject({
    question: CheckQuestion,
    answer: Answer.optional(),
    isShown: z.boolean().default(false).describe("Shows the right answer"),
  }),
  reply: AnsweredQuestion,
});

export const draftPlan = endpoint({
  method: "PUT",
  path: "/api/admin/content/plans/{id}",
  summary: "Drafts a plan; refused when it was changed since it was read",
  permission: "prices:write",
  withoutFreshSignIn: "A draft is visible to the team only",
  params: z.object({ id: z.string().regex(/^[a-z_]{1,40}$/) }),
  query: MadeFrom,
  body: PlanContent,
  reply: ContentChanged,
});

export const draftOffer = endpoint({
  method: "PUT",
  path: "/api/admin/content/offer",
  summary: "Drafts the offer; refused when it was changed since it was read",
  permission: "prices:write",
  withoutFreshSignIn: "A draft is visible to the team only",
  query: MadeFrom,
  body: Offer,
  reply: ContentChanged,
});

export const draftSettings = endpoint({
  method: "PUT",
  path: "/api/admin/content/settings",
  summary: "Drafts the settings; refused when they were changed since they were read",
  query: MadeFrom,
  permission: "settings:write",
  withoutFreshSignIn: "A draft is visible to the team only",
  body: AcademySettings,
  reply: ContentChanged,
});

export const draftCopy = endpoint({
  method: "PUT",
  path: "/api/admin/content/copy",
  summary: "Drafts a part of the academy's own words; refused when they were changed since they were read",
  permission: "content:write",
  withoutFreshSignIn: "A draft is visible to the team only",
  query: z.strictObject({ version: madeFrom }),
  body: Copy,
  reply: ContentChanged,
});

export const draftEmail = endpoint({
  method: "PUT",
  path: "/api/admin/content/emails/{id}",
  summary:
    "Drafts the texts of an automatic email; refused without the original's placeholders, and when they were changed since they were read",
  permission: "content:write",
  withoutFreshSignIn: "A draft is visible to the team only",
  params: ContentParams,
  query: z.strictObject({ version: madeFrom }),
  body: EmailTexts,
  reply: ContentChanged,
});

export const previewEmail = endpoint({
  method: "POST",
  path: "/api/admin/content/emails/{id}/preview",
  summary: "An automatic email with these texts and made-up facts, as students get it",
  permission: "content:write",
  withoutFreshSignIn: "Changes nothing",
  params: ContentParams,
  body: z.strictObject({
    texts: EmailTexts,
    shown: z.string().max(40).nullable().describe("A text that the email has to contain; null: the usual email"),
  }),
  reply: z.object({ subject: z.string(), html: z.string() }),
});

export const reviewLegalText = endpoint({
  method: "POST",
  path: "/api/admin/legal-texts/{part}/review",
  permission: "content:write",
  summary:
    "Notes that a legal text was read again today and still holds as it is published; refused when another was published since it was read",
  params: z.object({ part: z.enum(["terms", "privacy"]) }),
  query: MadeFrom,
  body: z.strictObject({}),
  reply: ContentChanged,
});

/** The public page that shows a part of the copy, and the place on it. */
export const pageOfCopy: Readonly<Record<CopyPart, { path: string; section?: string }>> = {
  sections: { path: "/" },
  hero: { path: "/" },
  example: { path: "/", section: "sum-title" },
  topics: { path: "/", section: "course" },
  instructor: { path: "/", section: "instructor" },
  testimonials: { path: "/", section: "testimonials" },
  materials: { path: "/", section: "materials-title" },
  pricing: { path: "/", section: "pricing" },
  questions: { path: "/", section: "faq" },
  contact: { path: "/contact" },
  footer: { path: "/contact", section: "contact" },
  terms: { path: "/terms-of-service" },
  privacy: { path: "/privacy-policy" },
};

/** That page with the drafts, for administrators. HTML, so no endpoint of the contract. */
export function previewUrl(part: CopyPart): string {
  const { section } = pageOfCopy[part];
  return `/api/admin/preview/${part}${section ? `#${section}` : ""}`;
}

export const moveContent = endpoint({
  method: "POST",
  path: "/api/admin/content/move",
  summary: "Puts a module, or a lesson of a module, right before another one, in the draft of their order",
  permission: "content:write",
  withoutFreshSignIn: "A draft is visible to the team only",
  body: z.strictObject({ kind: z.enum(["module", "lesson"]), id: recordId, before: recordId }),
  reply: ContentChanged,
});

export const getConfigured = endpoint({
  method: "GET",
  path: "/api/admin/configured",
  summary: "What the server's variables say, which counts where a setting is null",
  permission: "content:write",
  reply: z.object({ supportEmail: z.string(), senderName: z.string().nullable() }),
});

/** The drafts to publish; without `only`, all of them. Refused for another version, because nobody has reviewed it. */
const DraftChoice = z.strictObject({
  only: z
    .array(DraftKey.extend({ version: z.string().max(40).optional().describe("Of the draft that was looked at") }))
    .min(1)
    .max(200)
    .optional(),
});

export const publishContent = endpoint({
  method: "POST",
  path: "/api/admin/content/publish",
  summary:
    "Puts drafts on the pages, all at once; refused when a video may not play or lacks captions, and when nobody described a lesson's other video or captions",
  permission: "content:write",
  withoutFreshSignIn:
    "The call itself asks for one when a plan, the offer, the settings, a legal text or an email is among the drafts",
  body: DraftChoice.extend({
    despite: z
      .array(z.string().max(40))
      .max(200)
      .optional()
      .describe("Ids of lessons and modules to publish although their videos may not play or have no captions"),
    changes: z
      .record(recordId, DescribedChange.nullable())
      .optional()
      .describe(
        "What changed for students, by lesson, whenever a video or captions are replaced; null: nothing to tell",
      ),
  }),
  reply: Done,
});

export const discardDrafts = endpoint({
  method: "POST",
  path: "/api/admin/content/discard",
  summary: "Drops drafts; what is published stays",
  permission: "content:write",
  withoutFreshSignIn: "Changes nothing that is published",
  body: DraftChoice,
  reply: Done,
});
