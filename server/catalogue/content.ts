import { asc, eq } from "drizzle-orm";
import type { AcademySettings } from "#contract/academy.ts";
import type {
  AcademyContent,
  LessonContent,
  LessonText,
  ModuleContent,
  ModuleText,
  PlanContent,
} from "#contract/admin/content.ts";
import { formatCaptions } from "#contract/captions.ts";
import { type Copy, type CopyPart, copyParts } from "#contract/copy.ts";
import { dollarsOf } from "#contract/money.ts";
import type { Offer } from "#contract/offer.ts";
import { versionOf } from "#server/base/version.ts";
import type { Db } from "#server/db/db.ts";
import { currentCopy, type PublishedCopy, publishedCopy } from "#server/settings/copy.ts";
import { currentOffer } from "#server/settings/offer.ts";
import { currentSettings } from "#server/settings/settings.ts";
import { findPublishedCheck } from "./checks.ts";
import { listCues, type ModuleRow, type PlanRow } from "./queries.ts";
import { contentDrafts, type DraftKind, lessons, modules, plans } from "./tables.ts";

export type { DraftKind } from "./tables.ts";

export interface ContentOf {
  readonly module: ModuleContent;
  readonly lesson: LessonContent;
  readonly plan: PlanContent;
  readonly offer: Offer;
  readonly settings: AcademySettings;
  readonly copy: Copy;
}

/** Editable fields; positions are changed by `moveContent` only. */
export interface TextOf {
  readonly module: ModuleText;
  readonly lesson: LessonText;
  readonly plan: PlanContent;
  readonly offer: Offer;
  readonly settings: AcademySettings;
  readonly copy: Copy;
}

export const offerId = "offer";
export const settingsId = "settings";

export interface Draft<Kind extends DraftKind = DraftKind> {
  readonly kind: Kind;
  readonly id: string;
  readonly content: ContentOf[Kind];
  readonly updatedAt: Date;
}

export async function describeContent(db: Db): Promise<AcademyContent> {
  const drafts = await listDrafts(db);
  const moduleRows = await db.select().from(modules).orderBy(asc(modules.position), asc(modules.id));
  const lessonRows = await db.select().from(lessons).orderBy(asc(lessons.position), asc(lessons.id));
  const planRows = await db.select().from(plans).where(eq(plans.isActive, true)).orderBy(asc(plans.position));
  const publishedModules = new Map(moduleRows.map((row) => [row.id, moduleContent(row)]));
  const publishedLessons = new Map<string, LessonContent>();
  for (const row of lessonRows) publishedLessons.set(row.id, await lessonContent(db, row));
  const inOrder = versionsOf("module", publishedModules, drafts).toSorted(byPosition);
  const moduleIndexes = new Map(inOrder.map(({ id }, index) => [id, index]));
  const moduleIndexOf = (lesson: { published: LessonContent | null; draft: LessonContent | null }) =>
    moduleIndexes.get((lesson.draft ?? lesson.published)?.moduleId ?? "") ?? 0;
  const planDrafts = versionsOf("plan", new Map(planRows.map((row) => [row.id, planContent(row)])), drafts);
  const [offer] = versionsOf("offer", new Map([[offerId, await currentOffer(db)]]), drafts);
  if (!offer) throw new Error("there is always an offer");
  const [settings] = versionsOf("settings", new Map([[settingsId, await currentSettings(db)]]), drafts);
  if (!settings) throw new Error("there are always settings");
  return {
    modules: inOrder.map((module) => withVersion(module, fieldsOf(module))),
    lessons: versionsOf("lesson", publishedLessons, drafts)
      .toSorted((a, b) => moduleIndexOf(a) - moduleIndexOf(b) || byPosition(a, b))
      .map((lesson) => withVersion(lesson, fieldsOf(lesson))),
    plans: planRows.flatMap(({ id, tier, billing }) => {
      const versions = planDrafts.find((plan) => plan.id === id);
      return versions ? [{ ...withVersion(versions, fieldsOf(versions)), tier, billing }] : [];
    }),
    offer: withVersion(offer, fieldsOf(offer)),
    settings: withVersion({ ...settings, draft: settings.draft && { ...settings.published, ...settings.draft } }),
    copy: describeCopy(await publishedCopy(db), drafts),
    drafts: drafts.length,
  };
}

function describeCopy({ copy, reviews }: PublishedCopy, drafts: readonly Draft[]): AcademyContent["copy"] {
  const published = new Map<string, Copy>(copyParts.map((part) => [part, copy[part]]));
  return versionsOf("copy", published, drafts).map((versions) => {
    const reviewedAt = reviews[versions.id as CopyPart]?.toISOString() ?? null;
    const publishedVersion = versionOf(copy[versions.id as CopyPart]);
    return { ...withVersion(versions), reviewedAt, publishedVersion };
  });
}

interface Edited {
  draft: object | null;
  published: object | null;
}

/** Adds the version of the content that an editor starts from. */
function withVersion<Content extends Edited>(versions: Content, edited: object = latestOf(versions)) {
  return { ...versions, version: versionOf(edited) };
}

/** Sorted, since drafts and published content come in different orders; without the position, which is not edited. */
function fieldsOf(versions: Edited): [name: string, value: unknown][] {
  return Object.entries(latestOf(versions))
    .filter(([name]) => name !== "position")
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function latestOf({ draft, published }: Edited): object {
  return draft ?? published ?? {};
}

export async function listDrafts(db: Db): Promise<Draft[]> {
  return (await db
    .select()
    .from(contentDrafts)
    .orderBy(asc(contentDrafts.kind), asc(contentDrafts.id))) as unknown as Draft[];
}

export function countDrafts(db: Db): Promise<number> {
  return db.$count(contentDrafts);
}

export async function findPublished<Kind extends DraftKind>(
  db: Db,
  kind: Kind,
  id: string,
): Promise<ContentOf[Kind] | null> {
  const find: { readonly [Each in DraftKind]: () => Promise<ContentOf[Each] | null> } = {
    module: async () => {
      const [row] = await db.select().from(modules).where(eq(modules.id, id));
      return row ? moduleContent(row) : null;
    },
    lesson: async () => {
      const [row] = await db.select().from(lessons).where(eq(lessons.id, id));
      return row ? lessonContent(db, row) : null;
    },
    plan: async () => {
      const [row] = await db.select().from(plans).where(eq(plans.id, id));
      return row ? planContent(row) : null;
    },
    offer: async () => (id === offerId ? currentOffer(db) : null),
    settings: async () => (id === settingsId ? currentSettings(db) : null),
    copy: async () => (await currentCopy(db))[id as CopyPart] ?? null,
  };
  return find[kind]();
}

function moduleContent(row: ModuleRow): ModuleContent {
  const { title, description, position, requiredTier, comingSoon, introVideo, released } = row;
  const opensAt = row.opensAt?.toISOString() ?? null;
  return { title, description, position, requiredTier, comingSoon, opensAt, introVideo, released };
}

async function lessonContent(db: Db, row: typeof lessons.$inferSelect): Promise<LessonContent> {
  const { kind, body, moduleId, title, description, durationSeconds, videoId, freePreview, comingSoon, released } = row;
  const cues = await listCues(db, row.id);
  const captions = cues.length > 0 ? formatCaptions(cues) : null;
  const position = row.position + 1;
  return {
    moduleId,
    title,
    description,
    position,
    duration: durationSeconds,
    kind,
    videoId,
    body,
    captions,
    freePreview,
    comingSoon,
    opensAt: row.opensAt?.toISOString() ?? null,
    released,
    check: await findPublishedCheck(db, row.id),
  };
}

function planContent(row: PlanRow): PlanContent {
  const { name, description, features, coaching, buttonLabel, popular } = row;
  const originalPrice = row.originalPrice === null ? null : dollarsOf(row.originalPrice);
  return { name, price: dollarsOf(row.price), originalPrice, description, features, coaching, buttonLabel, popular };
}

interface Versions<Content> {
  readonly id: string;
  readonly published: Content | null;
  readonly draft: Content | null;
  readonly draftAt: string | null;
}

function versionsOf<Kind extends DraftKind>(
  kind: Kind,
  published: ReadonlyMap<string, ContentOf[Kind]>,
  drafts: readonly Draft[],
): Versions<ContentOf[Kind]>[] {
  const ofKind = new Map(
    (drafts as readonly Draft<Kind>[]).filter((one) => one.kind === kind).map((one) => [one.id, one]),
  );
  return [...new Set([...published.keys(), ...ofKind.keys()])].map((id) => {
    const draft = ofKind.get(id);
    return {
      id,
      published: published.get(id) ?? null,
      draft: draft?.content ?? null,
      draftAt: draft?.updatedAt.toISOString() ?? null,
    };
  });
}

/** The order that publishing gives: of two entries at one position the drafted one comes first. */
function byPosition(a: Versions<{ position: number }>, b: Versions<{ position: number }>): number {
  const position = ({ draft, published }: Versions<{ position: number }>) => (draft ?? published)?.position ?? 0;
  return position(a) - position(b) || Number(b.draft !== null) - Number(a.draft !== null);
}
