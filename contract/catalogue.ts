import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Tier } from "./tiers.ts";

export const Plan = z
  .object({
    id: z.string().describe("Used as the price identifier in checkout addresses"),
    name: z.string(),
    price: z.number().describe("US dollars"),
    tier: Tier,
    billing: z.enum(["monthly", "annual", "lifetime"]),
    description: z.string(),
    features: z.array(z.string()),
    originalPrice: z.number().describe("US dollars; double the price"),
    popular: z.boolean(),
    buttonLabel: z.string(),
  })
  .meta({ id: "Plan" });
export type Plan = z.infer<typeof Plan>;

export const listPlans = endpoint({
  method: "GET",
  path: "/api/course-pricing",
  summary: "The plans on sale",
  reply: z.array(Plan),
});

export const Lesson = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string(),
    duration: z.int().describe("Seconds; 0 while the lesson is not produced"),
    videoId: z.string().nullable().describe("Null when the viewer's tier does not open the lesson"),
    thumbnail: z.string().nullable(),
    comingSoon: z.boolean(),
    freePreview: z.boolean(),
    isUnlocked: z.boolean(),
  })
  .meta({ id: "Lesson" });
export type Lesson = z.infer<typeof Lesson>;

export const Module = z
  .object({
    id: z.string(),
    position: z.int(),
    title: z.string(),
    description: z.string(),
    requiredTier: Tier,
    comingSoon: z.boolean(),
    isUnlocked: z.boolean(),
    userTier: Tier.nullable(),
    lessons: z.array(Lesson),
  })
  .meta({ id: "Module" });
export type Module = z.infer<typeof Module>;

export const getCatalogue = endpoint({
  method: "GET",
  path: "/api/catalogue",
  summary: "Modules and lessons, each with whether the viewer's tier opens it; open to visitors",
  reply: z.array(Module),
});

const LessonParams = z.object({ lessonId: z.string().regex(/^[a-z0-9-]{1,40}$/) });

export const Playback = z
  .object({
    lessonId: z.string(),
    kind: z.enum(["file"]),
    url: z.string(),
    captionsUrl: z.string().nullable(),
    posterUrl: z.string().nullable(),
    duration: z.int().describe("Seconds"),
  })
  .meta({ id: "Playback" });
export type Playback = z.infer<typeof Playback>;

export const getPlayback = endpoint({
  method: "GET",
  path: "/api/lessons/{lessonId}/playback",
  summary: "Where the lesson's video plays from, for those whose tier opens it",
  params: LessonParams,
  reply: Playback,
});
