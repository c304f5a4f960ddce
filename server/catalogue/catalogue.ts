import { catalogue } from "#content/catalogue.ts";
import { plans as builtInPlans } from "#content/plans.ts";
import type { Lesson, Module, Plan } from "#contract/catalogue.ts";
import { type CoachingPromise, noCoaching, printedFeatures } from "#contract/coaching/promise.ts";
import { dollarsOf } from "#contract/money.ts";
import { type Tier, tierOpens } from "#contract/tiers.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { sampleCaptions } from "#server/video/samples.ts";
import { parseVideoId } from "#server/video/video-id.ts";
import { formatCaptions, parseCaptions } from "./captions.ts";
import { currentOffer } from "./offer.ts";
import {
  findLesson,
  hasCues,
  type LessonRow,
  listActivePlans,
  listCues,
  listLessons,
  listModules,
  type ModuleRow,
  type PlanRow,
  replaceCues,
} from "./queries.ts";
import { lessons, modules, plans } from "./tables.ts";

export type { LessonRow, ModuleRow, PlanRow } from "./queries.ts";

export async function listPlansOnSale(ctx: Context): Promise<Plan[]> {
  const [plans, offer] = await Promise.all([listActivePlans(ctx.db), currentOffer(ctx.db)]);
  return plans.map((plan) => ({
    ...plan,
    features: printedFeatures(plan),
    price: dollarsOf(plan.price),
    originalPrice: dollarsOf(plan.originalPrice ?? Math.round(plan.price * offer.originalPriceFactor)),
  }));
}

export async function promiseOnSale(db: Db, tier: Tier): Promise<CoachingPromise> {
  return (await listActivePlans(db)).find((plan) => plan.tier === tier)?.coaching ?? noCoaching;
}

/** @throws Refusal not-found. */
export async function planOnSale(ctx: Context, tier: Tier): Promise<PlanRow> {
  const plan = (await listActivePlans(ctx.db)).find((candidate) => candidate.tier === tier);
  if (!plan) throw new Refusal("not-found", "This plan is not on sale.");
  return plan;
}

/** Only what plays for `tier` (null: none) carries its video id. */
export async function describeCatalogue(ctx: Context, tier: Tier | null): Promise<Module[]> {
  const [moduleRows, lessonRows] = await Promise.all([listModules(ctx.db), listLessons(ctx.db)]);
  return moduleRows.map((module) => {
    const isUnlocked = tierOpens(tier, module.requiredTier);
    return {
      ...module,
      isUnlocked,
      userTier: tier,
      lessons: lessonRows
        .filter((lesson) => lesson.moduleId === module.id)
        .map((lesson) => presentLesson(lesson, isUnlocked || lesson.freePreview)),
    };
  });
}

/** @throws Refusal not-found. */
export async function lessonById(ctx: Context, lessonId: string): Promise<{ lesson: LessonRow; module: ModuleRow }> {
  const found = await findLesson(ctx.db, lessonId);
  if (!found) throw new Refusal("not-found", "There is no such lesson.");
  return found;
}

export async function findCaptions(ctx: Context, lessonId: string): Promise<string | null> {
  const cues = await listCues(ctx.db, lessonId);
  return cues.length > 0 ? formatCaptions(cues) : null;
}

export function hasCaptions(ctx: Context, lessonId: string): Promise<boolean> {
  return hasCues(ctx.db, lessonId);
}

export async function setCaptions(db: Db, lessonId: string, webVtt: string): Promise<void> {
  await replaceCues(db, lessonId, parseCaptions(webVtt));
}

const noVideo = "placeholder-video";

export function isComingSoon(lesson: Pick<LessonRow, "videoId" | "durationSeconds" | "comingSoon">): boolean {
  return lesson.comingSoon || lesson.videoId === noVideo || lesson.durationSeconds === 0;
}

function presentLesson(lesson: LessonRow, isUnlocked: boolean): Lesson {
  const comingSoon = isComingSoon(lesson);
  return {
    id: lesson.id,
    title: lesson.title,
    description: lesson.description,
    duration: lesson.durationSeconds,
    videoId: !isUnlocked ? null : comingSoon ? noVideo : lesson.videoId,
    thumbnail: isUnlocked && !comingSoon && isSample(lesson) ? `/api/lessons/${lesson.id}/poster` : null,
    comingSoon,
    freePreview: lesson.freePreview,
    isUnlocked,
  };
}

function isSample({ videoId }: LessonRow): boolean {
  return parseVideoId(videoId)?.provider === "sample";
}

/** What is there already stays. */
export async function seedCatalogue(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    await tx
      .insert(plans)
      .values(
        builtInPlans.map((plan, position) => ({
          ...plan,
          features: [...plan.features],
          price: plan.priceCents,
          popular: plan.tier === "premium",
          position,
          updatedAt: now,
        })),
      )
      .onConflictDoNothing();
    await tx
      .insert(modules)
      .values(catalogue.map(({ lessons: _, ...module }) => ({ ...module, updatedAt: now })))
      .onConflictDoNothing();
    const added = await tx
      .insert(lessons)
      .values(
        catalogue.flatMap((module) =>
          module.lessons.map((lesson, position) => ({ ...lesson, moduleId: module.id, position, updatedAt: now })),
        ),
      )
      .onConflictDoNothing()
      .returning({ id: lessons.id, videoId: lessons.videoId });
    for (const { id, videoId } of added) {
      const video = parseVideoId(videoId);
      const captions = video?.provider === "sample" ? sampleCaptions(video.id) : null;
      if (captions) await setCaptions(tx, id, captions);
    }
  });
}
