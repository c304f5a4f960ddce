import { z } from "zod";
import { CoachingPromise } from "./coaching/promise.ts";
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
    features: z.array(z.string()).describe("The last one says the 1-on-1 coaching, where there is some"),
    coaching: CoachingPromise,
    originalPrice: z
      .number()
      .nullable()
      .describe(
        "US dollars; double the price, unless the owner set another, and null while no offer compares prices or once it is taken off the pages",
      ),
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

export const LessonKind = z.enum(["video", "text"]).describe("A text lesson has no video, and takes its time to read");
export type LessonKind = z.infer<typeof LessonKind>;

export const Lesson = z
  .object({
    id: z.string(),
    kind: LessonKind,
    title: z.string(),
    description: z.string(),
    duration: z.int().describe("Seconds; 0 while the lesson is not produced"),
    videoId: z
      .string()
      .nullable()
      .describe(
        "Null when the viewer's tier does not open the lesson; `placeholder-video` while it is coming soon; empty for a text lesson",
      ),
    thumbnail: z.string().nullable(),
    comingSoon: z.boolean(),
    opensAt: z.iso.datetime().nullable().describe("When it stops coming soon by itself; null: open, or nobody knows"),
    freePreview: z.boolean(),
    hasBody: z.boolean().describe("There is a text, which `getLessonBody` gives"),
    isSample: z.boolean().describe("A short video that came with the academy, where its own one will be"),
    isUnlocked: z.boolean(),
    verifiedAt: z.iso
      .datetime()
      .optional()
      .describe("When the team last checked that it is still right; absent: never"),
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
    opensAt: z.iso.datetime().nullable().describe("When its lessons open by themselves; null: no time lies ahead"),
    introVideo: z
      .string()
      .nullable()
      .describe(
        "Plays before the first lesson. Null when there is none, or the viewer's tier does not open the module",
      ),
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

const playbackParts = {
  videoId: z.string().optional().describe("Another video has another one, and notes of what was watched have it"),
  url: z.string(),
  captionsUrl: z.string().nullable().describe("Of the first captions"),
  captions: z
    .array(z.object({ language: z.string(), url: z.string() }))
    .describe("WebVTT of ours, the default language first; services bring captions of their own"),
  posterUrl: z.string().nullable(),
};
const expiresAt = z.iso.datetime().describe("The address is signed and good until then");

function playbackWith<Shape extends z.ZodRawShape>(more: Shape) {
  const parts = { ...more, ...playbackParts };
  return z.discriminatedUnion("kind", [
    z.object({ ...parts, kind: z.literal("file").describe("A video file"), expiresAt: expiresAt.nullable() }),
    z.object({ ...parts, kind: z.literal("hls").describe("An HLS playlist"), expiresAt: expiresAt.nullable() }),
    z.object({ ...parts, kind: z.literal("youtube") }),
    z.object({ ...parts, kind: z.literal("vimeo") }),
    z.object({ ...parts, kind: z.literal("frame").describe("A page with a player of its own"), expiresAt }),
  ]);
}

export const Playback = playbackWith({
  lessonId: z.string(),
  duration: z.int().describe("Seconds"),
}).meta({
  id: "Playback",
});
export type Playback = z.infer<typeof Playback>;

/** A playable video, of a lesson or a recording. */
export const VideoPlayback = playbackWith({}).meta({ id: "VideoPlayback" });
export type VideoPlayback = z.infer<typeof VideoPlayback>;

export const getPlayback = endpoint({
  method: "GET",
  path: "/api/lessons/{lessonId}/playback",
  summary: "Where the lesson's video plays from, for those whose tier opens it",
  params: LessonParams,
  reply: Playback,
});

export const getIntroPlayback = endpoint({
  method: "GET",
  path: "/api/modules/{moduleId}/intro/playback",
  summary: "Where the video that opens the module plays from, for those whose tier opens the module",
  params: z.object({ moduleId: z.string().regex(/^[a-z0-9-]{1,40}$/) }),
  reply: VideoPlayback,
});

/** Parts of a text in order, with the matches of a search marked. */
const MarkedText = z.array(z.object({ text: z.string(), isMatch: z.boolean() }));
export type MarkedText = z.infer<typeof MarkedText>;

export const SearchHit = z
  .object({
    lessonId: z.string(),
    title: MarkedText,
    moduleId: z.string(),
    moduleTitle: z.string(),
    modulePosition: z.int(),
    requiredTier: Tier,
    isUnlocked: z.boolean(),
    comingSoon: z.boolean(),
    snippet: MarkedText.describe("From the description, or from what is said in a lesson that is unlocked"),
    at: z.number().nullable().describe("Seconds into the video where the snippet is said; null for a description"),
  })
  .meta({ id: "SearchHit" });
export type SearchHit = z.infer<typeof SearchHit>;

export const searchCatalogue = endpoint({
  method: "GET",
  path: "/api/catalogue/search",
  summary: "Lessons whose title, module, description or transcript hold every word, the best first; open to visitors",
  query: z.object({ q: z.string().trim().max(100).default("").describe("Words, or their beginnings") }),
  reply: z.array(SearchHit),
});
