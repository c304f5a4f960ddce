import { catalogue } from "#content/catalogue.ts";
import { plans as builtInPlans } from "#content/plans.ts";
import type { Lesson, Module, Plan } from "#contract/catalogue.ts";
import { type Tier, tierOpens } from "#contract/tiers.ts";
import type { Context } from "#server/context.ts";
import { Refusal } from "#server/refusal.ts";
import {
  findLesson,
  type LessonRow,
  listActivePlans,
  listLessons,
  listModules,
  type ModuleRow,
  type PlanRow,
} from "./queries.ts";
import { lessons, modules, plans } from "./tables.ts";

export type { LessonRow, ModuleRow, PlanRow } from "./queries.ts";

/** The plans on sale, cheapest first. */
export async function listPlansOnSale(ctx: Context): Promise<Plan[]> {
  return (await listActivePlans(ctx.db)).map((plan) => ({
    ...plan,
    price: plan.price / 100,
    originalPrice: (plan.price * 2) / 100,
  }));
}

/** @throws Refusal not-found when no plan of this tier is on sale. */
export async function planOnSale(ctx: Context, tier: Tier): Promise<PlanRow> {
  const plan = (await listActivePlans(ctx.db)).find((candidate) => candidate.tier === tier);
  if (!plan) throw new Refusal("not-found", "This plan is not on sale.");
  return plan;
}

/** Modules and lessons as somebody on `tier` (null: on none) sees them; a locked lesson carries no video id. */
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

/** @throws Refusal not-found for a lesson that is not in the catalogue. */
export async function lessonById(ctx: Context, lessonId: string): Promise<{ lesson: LessonRow; module: ModuleRow }> {
  const found = await findLesson(ctx.db, lessonId);
  if (!found) throw new Refusal("not-found", "There is no such lesson.");
  return found;
}

/** A lesson without a video: the placeholder, or no duration. */
export function isComingSoon(lesson: Pick<LessonRow, "videoId" | "durationSeconds">): boolean {
  return lesson.videoId === "placeholder-video" || lesson.durationSeconds === 0;
}

function presentLesson(lesson: LessonRow, isUnlocked: boolean): Lesson {
  const comingSoon = isComingSoon(lesson);
  return {
    id: lesson.id,
    title: lesson.title,
    description: lesson.description,
    duration: lesson.durationSeconds,
    videoId: isUnlocked ? lesson.videoId : null,
    thumbnail: isUnlocked && !comingSoon ? `/api/lessons/${lesson.id}/poster` : null,
    comingSoon,
    freePreview: lesson.freePreview,
    isUnlocked,
  };
}

/** Puts the plans, modules and lessons of `content/` into the database where they are not there yet. */
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
    await tx
      .insert(lessons)
      .values(
        catalogue.flatMap((module) =>
          module.lessons.map((lesson, position) => ({ ...lesson, moduleId: module.id, position, updatedAt: now })),
        ),
      )
      .onConflictDoNothing();
  });
}
