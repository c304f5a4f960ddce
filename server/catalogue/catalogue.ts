import { catalogue } from "#content/catalogue.ts";
import { claimsOnPages } from "#content/claims.ts";
import { lessonBodies } from "#content/lesson-bodies.ts";
import { plans as builtInPlans } from "#content/plans.ts";
import { welcomeMessages } from "#content/welcome.ts";
import type { AcademyOnPages } from "#contract/academy.ts";
import { formatCaptions, parseCaptions } from "#contract/captions.ts";
import type { Lesson, Module, Plan } from "#contract/catalogue.ts";
import { type CoachingPromise, noCoaching } from "#contract/coaching/promise.ts";
import type { Copy } from "#contract/copy.ts";
import { printedFeatures, withCourse } from "#contract/course-words.ts";
import { defaultLanguage } from "#contract/languages.ts";
import { renderMarkup } from "#contract/markup.ts";
import { dollarsOf } from "#contract/money.ts";
import type { Offer, OfferOnPages } from "#contract/offer.ts";
import type { PageClaims } from "#contract/page-facts.ts";
import { copyOnPages } from "#contract/stated-claims.ts";
import { type PlanNames, type Tier, tierOpens, withPlanNames } from "#contract/tiers.ts";
import { noVideo, parseVideoId } from "#contract/video-id.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { currentCopy, legalDays, publishedCopy } from "#server/settings/copy.ts";
import { currentOffer } from "#server/settings/offer.ts";
import { currentSettings, onPages } from "#server/settings/settings.ts";
import { sampleCaptions } from "#server/video/samples.ts";
import { listWithdrawnIds, offerOnPages, plansOnPages } from "./claims.ts";
import { listPosterKeys, posterAddress } from "./posters.ts";
import { endOf, isOn, priceAt, recordPlanPrices, struckOutPrice } from "./prices.ts";
import {
  currentPlanNames,
  findBody,
  findLesson,
  findModule,
  type LessonInModule,
  type LessonRow,
  listActivePlans,
  listCues,
  listLessons,
  listModules,
  type ModuleRow,
  type PlanRow,
  replaceCaptions,
} from "./queries.ts";
import { lessons, modules, plans } from "./tables.ts";

export {
  countWatchableLessons,
  currentPlanNames,
  findContentVersion,
  type LessonRow,
  listActivePlans,
  listCaptionLanguages,
  listLessons,
  type ModuleRow,
  type PlanRow,
  planNameAt,
} from "./queries.ts";

/** Plans and offer as pages show them, without withdrawn claims. */
export interface OnSale {
  readonly plans: Plan[];
  readonly offer: OfferOnPages;
}

export async function describeSale(ctx: Context): Promise<OnSale> {
  return (await readSale(ctx.db)).at(ctx.clock.now());
}

/**
 * Reads plans and offer once, for their state at any instant, with the instant at which they next change by
 * themselves, in milliseconds.
 */
export async function readSale(db: Db) {
  const [rows, names, modules, offer, withdrawn] = await Promise.all([
    listActivePlans(db),
    currentPlanNames(db),
    listModules(db),
    currentOffer(db),
    listWithdrawnIds(db),
  ]);
  function at(instant: Date): OnSale {
    const priced = rows.map((row) => presentPlan(row, { names, modules, offer, at: instant }));
    const plans = plansOnPages(priced, withdrawn);
    return { plans, offer: offerOnPages(offer, priced, withdrawn, instant) };
  }
  return { at, offerEndsAt: endOf(offer) };
}

export async function describeOnPages(db: Db): Promise<AcademyOnPages> {
  const [settings, copy, names] = await Promise.all([currentSettings(db), currentCopy(db), currentPlanNames(db)]);
  return onPages(settings, copy, names);
}

/** The academy's copy, with `drafts` in place of published parts, and its claims that are not withdrawn. */
export async function readWords(db: Db, drafts: readonly Copy[] = [], now = new Date(0)) {
  const [withdrawn, published] = await Promise.all([listWithdrawnIds(db), publishedCopy(db)]);
  const copy = { ...published.copy, ...Object.fromEntries(drafts.map((draft) => [draft.part, draft])) };
  const legalTexts = {
    ...published.legalTexts,
    ...Object.fromEntries(drafts.map(({ part }) => [part, now])),
  };
  const shown = copyOnPages(copy, { withdrawn, lastUpdated: legalDays({ legalTexts }) });
  return {
    copy: shown,
    edited: copy,
    claimsBeside: (plans: readonly Plan[]): PageClaims => claimsOnPages(withdrawn, plans, shown),
  };
}

interface Printed {
  readonly names: PlanNames;
  readonly modules: readonly ModuleRow[];
  readonly offer: Offer;
  readonly at: Date;
}

function presentPlan(plan: PlanRow, { names, modules, offer, at }: Printed): Plan {
  return {
    ...plan,
    features: printedFeatures(plan, modules),
    buttonLabel: withPlanNames(plan.buttonLabel, names),
    price: dollarsOf(priceAt(plan, offer, at)),
    originalPrice: isOn(offer, at) ? dollarsOf(struckOutPrice(plan, offer)) : null,
  };
}

/** The message after a successful payment. */
export async function welcomeTo(db: Db, tier: Tier): Promise<string> {
  const [modules, names] = await Promise.all([listModules(db), currentPlanNames(db)]);
  return withPlanNames(withCourse(welcomeMessages[tier], modules), names);
}

export async function promisesOnSale(db: Db): Promise<Record<Tier, CoachingPromise>> {
  const plans = await listActivePlans(db);
  const of = (tier: Tier) => plans.find((plan) => plan.tier === tier)?.coaching ?? noCoaching;
  return { basic: of("basic"), premium: of("premium"), vip: of("vip") };
}

/** The plan of a tier at its current price, which changes when a timed offer ends. @throws Refusal not-found. */
export async function planOnSale(ctx: Context, tier: Tier): Promise<PlanRow> {
  const [plans, offer] = await Promise.all([listActivePlans(ctx.db), currentOffer(ctx.db)]);
  const plan = plans.find((candidate) => candidate.tier === tier);
  if (!plan) throw new Refusal("not-found", "This plan isn't for sale right now.");
  return { ...plan, price: priceAt(plan, offer, ctx.clock.now()) };
}

/** The catalogue for a student of `tier` (null: none). Only lessons that play for it have their video id. */
export async function describeCatalogue(ctx: Context, tier: Tier | null): Promise<Module[]> {
  const [moduleRows, lessonRows, posterKeys] = await Promise.all([
    listModules(ctx.db),
    listLessons(ctx.db),
    listPosterKeys(ctx.db),
  ]);
  const now = ctx.clock.now();
  return moduleRows.map((module) => {
    const isUnlocked = tierOpens(tier, module.requiredTier);
    const opensAt = module.opensAt && module.opensAt > now ? module.opensAt : null;
    return {
      ...module,
      comingSoon: module.comingSoon || opensAt !== null,
      opensAt: opensAt?.toISOString() ?? null,
      introVideo: isUnlocked && !opensAt ? module.introVideo : null,
      isUnlocked,
      userTier: tier,
      lessons: lessonRows
        .filter((lesson) => lesson.moduleId === module.id)
        .map((lesson) => presentLesson({ lesson, module }, isUnlocked || lesson.freePreview, posterKeys, now)),
    };
  });
}

/** @throws Refusal not-found. */
export async function lessonById(ctx: Context, lessonId: string): Promise<{ lesson: LessonRow; module: ModuleRow }> {
  const found = await findLesson(ctx.db, lessonId);
  if (!found) throw new Refusal("not-found", "We couldn't find this lesson. It may have been removed.");
  return found;
}

/** @throws Refusal not-found. */
export async function moduleById(ctx: Context, moduleId: string): Promise<ModuleRow> {
  const found = await findModule(ctx.db, moduleId);
  if (!found) throw notFound("module");
  return found;
}

/** At most 100 entries, each of some 10 kB, by lesson and the time of its publishing. */
const renderedBodies = new Map<string, string | null>();

/** The text of a lesson as HTML; null without one. */
export async function renderBody(ctx: Context, { id, updatedAt }: LessonRow): Promise<string | null> {
  const key = `${id} ${updatedAt.getTime()}`;
  const known = renderedBodies.get(key);
  if (known !== undefined) return known;
  const body = await findBody(ctx.db, id);
  const html = body && renderMarkup(body);
  if (renderedBodies.size === 100) renderedBodies.clear();
  renderedBodies.set(key, html);
  return html;
}

/** As WebVTT; null without captions in the language. */
export async function findCaptions(ctx: Context, lessonId: string, language: string): Promise<string | null> {
  const cues = await listCues(ctx.db, lessonId, language);
  return cues.length > 0 ? formatCaptions(cues) : null;
}

type Produced = Pick<LessonRow, "videoId" | "durationSeconds" | "comingSoon">;
interface Opening {
  readonly opensAt: Date | null;
}

/** What students cannot watch yet: it is not produced, or its time or that of its module has not come. */
export function isComingSoon(lesson: Produced & Opening, module: Opening, now: Date): boolean {
  return !isProduced(lesson) || opensAtOf(lesson, module, now) !== null;
}

function isProduced({ comingSoon, videoId, durationSeconds }: Produced): boolean {
  return !comingSoon && videoId !== noVideo && durationSeconds > 0;
}

/** When a produced lesson opens by itself; null once it is open. */
export function opensAtOf(lesson: Produced & Opening, module: Opening, now: Date): Date | null {
  const times = [lesson.opensAt, module.opensAt].filter((time) => time !== null && time > now) as Date[];
  return isProduced(lesson) ? (times.toSorted((one, other) => other.getTime() - one.getTime())[0] ?? null) : null;
}

function presentLesson(
  { lesson, module }: LessonInModule,
  isUnlocked: boolean,
  posterKeys: ReadonlyMap<string, string>,
  now: Date,
): Lesson {
  const comingSoon = isComingSoon(lesson, module, now);
  return {
    id: lesson.id,
    kind: lesson.kind,
    title: lesson.title,
    description: lesson.description,
    duration: lesson.durationSeconds,
    videoId: !isUnlocked ? null : comingSoon ? noVideo : lesson.videoId,
    thumbnail: isUnlocked && !comingSoon ? thumbnailOf(lesson, posterKeys) : null,
    comingSoon,
    opensAt: opensAtOf(lesson, module, now)?.toISOString() ?? null,
    freePreview: lesson.freePreview,
    hasBody: lesson.hasBody,
    isSample: !comingSoon && isSample(lesson),
    isUnlocked,
    ...(lesson.verifiedAt && !comingSoon && { verifiedAt: lesson.verifiedAt.toISOString() }),
  };
}

function isSample({ videoId }: LessonRow): boolean {
  return parseVideoId(videoId)?.provider === "sample";
}

function thumbnailOf(lesson: LessonRow, posterKeys: ReadonlyMap<string, string>): string | null {
  const address = `/api/lessons/${lesson.id}`;
  if (isSample(lesson)) return `${address}/poster`;
  const key = posterKeys.get(lesson.videoId);
  return key ? posterAddress(address, key) : null;
}

/** Adds the built-in catalogue; rows that exist stay as they are. */
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
          module.lessons.map((lesson, position) => ({
            ...lesson,
            body: lessonBodies[lesson.id] ?? null,
            moduleId: module.id,
            position,
            updatedAt: now,
          })),
        ),
      )
      .onConflictDoNothing()
      .returning({ id: lessons.id, videoId: lessons.videoId });
    for (const { id, videoId } of added) {
      const video = parseVideoId(videoId);
      const captions = video?.provider === "sample" ? sampleCaptions(video.id) : null;
      if (captions) await replaceCaptions(tx, id, [{ language: defaultLanguage, cues: parseCaptions(captions) }]);
    }
    await recordPlanPrices(tx, now);
  });
}
