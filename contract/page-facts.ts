import { z } from "zod";
import { AcademyOnPages } from "./academy.ts";
import { Module, Plan } from "./catalogue.ts";
import { Communities } from "./communities.ts";
import { CopyOnPages } from "./copy.ts";
import { endpoint } from "./endpoint.ts";
import { PublicChange } from "./lesson-changes.ts";
import { OfferOnPages } from "./offer.ts";

/**
 * The academy's claims that were not removed, the sections of the landing page that links lead to, and the copy that
 * scripts show, because no script contains copy.
 */
export const PageClaims = z
  .object({
    withdrawn: z.array(z.string()).describe("Ids of those that are taken off"),
    hasCourse: z.boolean(),
    hasInstructor: z.boolean(),
    hasReviews: z.boolean(),
    hasQuestions: z.boolean(),
    mostPopular: z.string().nullable(),
    community: z.object({ count: z.string(), members: z.string(), sentence: z.string() }).nullable(),
  })
  .meta({ id: "PageClaims" });
export type PageClaims = z.infer<typeof PageClaims>;

export const getClaims = endpoint({
  method: "GET",
  path: "/api/claims",
  summary: "Which claims of the academy stand on its pages now; open to everyone",
  reply: PageClaims,
});

const FirstCaption = z.object({ lessonId: z.string(), startsAt: z.int().describe("Milliseconds"), text: z.string() });

/** The published content that visitors see on pages. */
export const PageFacts = z.object({
  academy: AcademyOnPages,
  communities: Communities,
  plans: z.array(Plan),
  offer: OfferOnPages,
  catalogue: z.array(Module),
  firstCaptions: z.array(FirstCaption).describe("Of the free lessons, in the order of the course"),
  changes: z.array(PublicChange).describe("Of lessons, the newest first"),
  claims: PageClaims,
  copy: CopyOnPages,
});
export type PageFacts = z.infer<typeof PageFacts>;
