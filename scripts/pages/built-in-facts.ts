import { catalogue } from "#content/catalogue.ts";
import { claimsOnPages } from "#content/claims.ts";
import { builtInCopy } from "#content/copy/copy.ts";
import { legalTextsDate } from "#content/copy/legal.ts";
import { lessonBodies } from "#content/lesson-bodies.ts";
import { offer } from "#content/offer.ts";
import { builtInPlanNames, plans } from "#content/plans.ts";
import { builtInSettings } from "#content/site.ts";
import { parseCaptions } from "#contract/captions.ts";
import { printedFeatures } from "#contract/course-words.ts";
import { dollarsOf } from "#contract/money.ts";
import { PageFacts } from "#contract/page-facts.ts";
import { copyOnPages } from "#contract/stated-claims.ts";
import { withPlanNames } from "#contract/tiers.ts";
import { sampleCaptions } from "#server/video/samples.ts";

/** The content of the pages before anything is published: the seed as visitors see it. */
export function builtInFacts(): PageFacts {
  const { name, supportEmail, phone, officeHours, businessHours, refundDays } = builtInSettings;
  const { communities, externalSites, chat } = builtInSettings;
  const { part: _, ...footer } = builtInCopy.footer;
  const copy = copyOnPages(builtInCopy, {
    withdrawn: [],
    lastUpdated: { terms: legalTextsDate, privacy: legalTextsDate },
  });
  return PageFacts.parse({
    // Only pages with other branding need it.
    academy: { name, supportEmail, phone, officeHours, businessHours, refundDays, planNames: builtInPlanNames, footer },
    communities: { communities, externalSites, chat },
    plans: plans.map(({ priceCents, ...plan }) => ({
      ...plan,
      features: printedFeatures(plan, catalogue),
      buttonLabel: withPlanNames(plan.buttonLabel, builtInPlanNames),
      price: dollarsOf(priceCents),
      originalPrice: dollarsOf(Math.round(priceCents * offer.originalPriceFactor)),
      popular: plan.tier === "premium",
    })),
    offer,
    changes: [],
    claims: claimsOnPages([], [{ popular: true }], copy),
    copy,
    firstCaptions: catalogue
      .flatMap(({ lessons }) => lessons)
      .filter(({ freePreview, videoId }) => freePreview && videoId.startsWith("sample:"))
      .flatMap(({ id: lessonId, videoId }) =>
        parseCaptions(sampleCaptions(videoId.slice("sample:".length)) ?? "")
          .slice(0, 1)
          .map((cue) => ({ lessonId, ...cue })),
      ),
    catalogue: catalogue.map((module) => ({
      ...module,
      opensAt: null,
      introVideo: null,
      isUnlocked: false,
      userTier: null,
      lessons: module.lessons.map(({ durationSeconds: duration, videoId, ...lesson }) => {
        const comingSoon = videoId === "placeholder-video" || duration === 0;
        const isSample = !comingSoon && videoId.startsWith("sample:");
        return {
          ...lesson,
          kind: "video" as const,
          hasBody: lesson.id in lessonBodies,
          duration,
          videoId: lesson.freePreview ? (comingSoon ? "placeholder-video" : videoId) : null,
          thumbnail: lesson.freePreview && isSample ? `/api/lessons/${lesson.id}/poster` : null,
          comingSoon,
          opensAt: null,
          isSample,
          isUnlocked: lesson.freePreview,
        };
      }),
    })),
  });
}
