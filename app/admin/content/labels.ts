import type { Labels } from "#app/editing/fields.tsx";
import type { ContentOrder, LessonContent, ModuleContent, PlanContent } from "#contract/admin/content.ts";
import { languageName } from "#contract/languages.ts";
import { formatSecond } from "#contract/lesson-start.ts";
import { formatDollars } from "#contract/money.ts";
import type { Offer } from "#contract/offer.ts";
import { noVideo, parseVideoId, videoAddressOf } from "#contract/video-id.ts";
import { academy, planName } from "#ui/academy.ts";
import { checkLabels } from "./check-labels.ts";

function videoWords(videoId: string): string {
  if (videoId === noVideo) return "No video yet";
  const provider = parseVideoId(videoId)?.provider;
  if (provider === "own") return "Uploaded video";
  return provider === "sample" ? "Sample video" : videoAddressOf(videoId);
}

export const moduleLabels = {
  title: "Title",
  description: "Description",
  requiredTier: {
    label: "Required plan",
    get options() {
      return Object.entries(academy().planNames);
    },
  },
  introVideo: { label: "Introduction", words: videoWords },
  comingSoon: "Coming soon",
  opensAt: "Opens",
  released: "Visible to students, with its lessons",
} as const satisfies Labels<ModuleContent>;

export const lessonLabels = {
  title: "Title",
  description: "Description",
  kind: {
    label: "Type",
    options: [
      ["video", "Video"],
      ["text", "Text, which students mark as completed"],
    ],
  },
  videoId: { label: "Video", words: videoWords },
  duration: { label: "Length", words: formatSecond },
  captions: "Captions",
  captionsLanguage: { label: "Language of the captions", words: languageName },
  otherCaptions: {
    title: "Captions in other languages",
    what: "language",
    titleOf: ({ language }) => languageName(language),
    labels: { language: { label: "Language", words: languageName }, captions: "Captions" },
  },
  body: "Text",
  check: { labels: checkLabels },
  freePreview: "Free preview: plays without a plan, also on the landing page",
  comingSoon: "Coming soon: listed, but doesn’t play yet",
  opensAt: "Opens",
  released: "Visible to students",
} as const satisfies Labels<LessonContent>;

export const orderLabels: Labels<ContentOrder> = { order: "Order" };

export const planLabels = {
  name: "Name",
  price: { label: "Price in US dollars", words: formatDollars },
  originalPrice: { label: "Original price in US dollars", words: formatDollars },
  description: "Description",
  features: "Features",
  coaching: { labels: { sessions: "Sessions", everyDays: "Days per period", minutes: "Minutes per session" } },
  buttonLabel: "Button label",
  popular: "Show as most popular",
} as const satisfies Labels<PlanContent>;

export const offerLabels = {
  enabled: "Show the countdown, the original prices and the badges",
  countdown: {
    labels: {
      kind: {
        label: "Countdown",
        options: [
          ["daily", "Restarts every day"],
          ["until", "Ends once"],
        ],
      },
      startSeconds: "Seconds at the start",
      endsAt: "Ends",
    },
  },
  originalPriceFactor: "Original price factor",
  headline: "Headline",
  discountClaim: "Discount claim",
  countdownLabel: "Text before the countdown",
  badges: {
    get labels() {
      return { basic: planName("basic"), premium: planName("premium"), vip: planName("vip") };
    },
  },
} as const satisfies Labels<Omit<Offer, "countdown">> & { countdown: unknown };
