import type { Labels } from "#app/editing/fields.tsx";
import type { ContentOrder, LessonContent, ModuleContent, PlanContent } from "#contract/admin/content.ts";
import { formatSecond } from "#contract/lesson-start.ts";
import { formatDollars } from "#contract/money.ts";
import type { Offer } from "#contract/offer.ts";
import { noVideo, videoAddressOf } from "#contract/video-id.ts";
import { academy, planName } from "#ui/academy.ts";
import { checkLabels } from "./check-labels.ts";

const videoWords = (id: string) => (id === noVideo ? "No video yet" : videoAddressOf(id));

export const moduleLabels = {
  title: "Title",
  description: "Description",
  requiredTier: {
    label: "Plan that opens it",
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
    label: "Kind",
    options: [
      ["video", "Video"],
      ["text", "Text, which students complete with a button"],
    ],
  },
  videoId: { label: "Video", words: videoWords },
  duration: { label: "Length", words: formatSecond },
  captions: "Captions",
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
  coaching: { labels: { sessions: "Sessions (0: none)", everyDays: "Every so many days", minutes: "Minutes each" } },
  buttonLabel: "Button label",
  popular: "Marked as the most popular",
} as const satisfies Labels<PlanContent>;

export const offerLabels = {
  enabled: "Show the countdown, the original prices and the badges",
  countdown: {
    labels: {
      kind: {
        label: "Countdown",
        options: [
          ["daily", "Begins again every day"],
          ["until", "Ends once"],
        ],
      },
      startSeconds: "Seconds it begins with",
      endsAt: "Ends",
    },
  },
  originalPriceFactor: "Original price is the price times",
  headline: "Headline",
  discountClaim: "Claim",
  countdownLabel: "Before the countdown",
  badges: {
    get labels() {
      return { basic: planName("basic"), premium: planName("premium"), vip: planName("vip") };
    },
  },
} as const satisfies Labels<Omit<Offer, "countdown">> & { countdown: unknown };
