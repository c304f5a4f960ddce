import { isDeepStrictEqual } from "node:util";
import { asc, eq } from "drizzle-orm";
import { builtInEmails } from "#content/emails.ts";
import type { AcademySettings } from "#contract/academy.ts";
import type { CheckContent } from "#contract/admin/check-content.ts";
import type {
  AcademyContent,
  ContentOrder,
  DraftKey,
  LessonContent,
  ModuleContent,
  PlanContent,
} from "#contract/admin/content.ts";
import { formatCaptions, parseCaptions } from "#contract/captions.ts";
import { type Copy, type CopyPart, copyParts } from "#contract/copy.ts";
import type { EmailTexts } from "#contract/email-texts.ts";
import { defaultLanguage } from "#contract/languages.ts";
import { dollarsOf } from "#contract/money.ts";
import type { Offer } from "#contract/offer.ts";
import { versionOf } from "#server/base/version.ts";
import type { Db } from "#server/db/db.ts";
import { listPeople, nameOf } from "#server/identity/names.ts";
import { currentCopy, type PublishedCopy, publishedCopy } from "#server/settings/copy.ts";
import {
  changedEmailTexts,
  fittingTexts,
  originalTexts,
  publishedEmailTexts,
  unfitTexts,
} from "#server/settings/email-texts.ts";
import { currentOffer } from "#server/settings/offer.ts";
import { currentSettings } from "#server/settings/settings.ts";
import { listPublishedChecks } from "./checks.ts";
import { type Captions, listCaptions, type ModuleRow, type PlanRow } from "./queries.ts";
import { contentDrafts, type DraftKind, lessons, modules, plans } from "./tables.ts";

export type { DraftKind } from "./tables.ts";

export interface ContentOf {
  readonly module: ModuleContent;
  readonly lesson: LessonContent;
  readonly order: ContentOrder;
  readonly plan: PlanContent;
  readonly offer: Offer;
  readonly settings: AcademySettings;
  readonly copy: Copy;
  readonly email: EmailTexts;
}

/** The id of the modules' order. That of a module's lessons has the module's id. */
export const modulesId = "modules";
export const offerId = "offer";
export const settingsId = "settings";

export interface Draft<Kind extends DraftKind = DraftKind> {
  readonly kind: Kind;
  readonly id: string;
  readonly content: ContentOf[Kind];
  readonly updatedAt: Date;
  /** The user's id; null for a draft from before they were noted. */
  readonly updatedBy: string | null;
}

export async function describeContent(db: Db): Promise<AcademyContent> {
  const rows = await listDrafts(db);
  const people = await listPeople(db, [...new Set(rows.flatMap(({ updatedBy }) => updatedBy ?? []))]);
  const drafts = rows.map((draft) => ({
    ...draft,
    by: draft.updatedBy && nameOf(people.find(({ id }) => id === draft.updatedBy) ?? null),
  }));
  const moduleRows = await db.select().from(modules);
  const lessonRows = await db.select().from(lessons);
  const planRows = await db.select().from(plans).where(eq(plans.isActive, true)).orderBy(asc(plans.position));
  const publishedModules = new Map(moduleRows.map((row) => [row.id, moduleContent(row)]));
  const publishedLessons = await lessonContents(db, lessonRows);
  const arrangements = await arrange(db, rows);
  const moduleIds = arrangements.get(modulesId)?.drafted ?? [];
  const lessonIds = moduleIds.flatMap((id) => arrangements.get(id)?.drafted ?? []);
  const planDrafts = versionsOf("plan", new Map(planRows.map((row) => [row.id, planContent(row)])), drafts);
  const [offer] = versionsOf("offer", new Map([[offerId, await currentOffer(db)]]), drafts);
  if (!offer) throw new Error("there is always an offer");
  const [settings] = versionsOf("settings", new Map([[settingsId, await currentSettings(db)]]), drafts);
  if (!settings) throw new Error("there are always settings");
  const isNew = (id: string | null) => id !== null && !publishedModules.has(id) && moduleIds.includes(id);
  const needs = (ids: readonly (string | null)[]): DraftKey[] =>
    [...new Set(ids)].filter(isNew).map((id) => ({ kind: "module", id: id ?? "" }));
  const content = {
    modules: inOrder(moduleIds, versionsOf("module", publishedModules, drafts)).map((module) =>
      withVersion(module, fieldsOf(module)),
    ),
    lessons: inOrder(lessonIds, versionsOf("lesson", publishedLessons, drafts)).map((lesson) => ({
      ...withVersion(lesson, fieldsOf(lesson)),
      needs: needs([lesson.draft?.moduleId ?? null]),
    })),
    orders: describeOrders(arrangements, drafts),
    plans: planRows.flatMap(({ id, tier, billing }) => {
      const versions = planDrafts.find((plan) => plan.id === id);
      return versions ? [{ ...withVersion(versions, fieldsOf(versions)), tier, billing }] : [];
    }),
    offer: withVersion(offer, fieldsOf(offer)),
    settings: withVersion({ ...settings, draft: settings.draft && { ...settings.published, ...settings.draft } }),
    copy: describeCopy(await publishedCopy(db), drafts).map((part) => ({
      ...part,
      needs: needs(part.draft?.part === "topics" ? part.draft.topics.map(({ moduleId }) => moduleId) : []),
    })),
    emails: describeEmails(await changedEmailTexts(db), drafts),
  };
  return {
    ...content,
    drafts: Object.values(content)
      .flat()
      .filter(({ draft }) => draft).length,
  };
}

/** The ids of all modules, or of all lessons of a module, in their orders. */
interface Arrangement {
  /** Without those that are only drafted. */
  readonly published: readonly string[];
  /** As published, with new ones last. */
  readonly usual: readonly string[];
  readonly drafted: readonly string[];
}

/** By the id of the order: `modules`, and that of each module. */
export async function arrange(db: Db, drafts: readonly Draft[]): Promise<Map<string, Arrangement>> {
  const moduleRows = await db.select({ id: modules.id }).from(modules).orderBy(asc(modules.position), asc(modules.id));
  const lessonRows = await db
    .select({ id: lessons.id, moduleId: lessons.moduleId })
    .from(lessons)
    .orderBy(asc(lessons.position), asc(lessons.id));
  const orders = new Map(ofKind("order", drafts).map(({ id, content }) => [id, content.order]));
  const arrangement = (id: string, published: string[], drafted: string[]) => {
    const added = drafted.filter((one) => !published.includes(one));
    const usual = [...published, ...added.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }))];
    const order = orders.get(id) ?? [];
    const rank = (one: string) => (order.includes(one) ? order.indexOf(one) : order.length);
    return { published, usual, drafted: usual.toSorted((a, b) => rank(a) - rank(b)) };
  };
  const ofModules = arrangement(
    modulesId,
    moduleRows.map(({ id }) => id),
    ofKind("module", drafts).map(({ id }) => id),
  );
  const ofLessons = ofModules.usual.map((moduleId) => {
    const published = lessonRows.filter((lesson) => lesson.moduleId === moduleId).map(({ id }) => id);
    const drafted = ofKind("lesson", drafts).filter(({ content }) => content.moduleId === moduleId);
    return [
      moduleId,
      arrangement(
        moduleId,
        published,
        drafted.map(({ id }) => id),
      ),
    ] as const;
  });
  return new Map([[modulesId, ofModules], ...ofLessons]);
}

function describeOrders(
  arrangements: ReadonlyMap<string, Arrangement>,
  drafts: readonly SignedDraft[],
): AcademyContent["orders"] {
  const published = new Map([...arrangements].map(([id, { published }]) => [id, { order: [...published] }]));
  return versionsOf("order", published, drafts).flatMap((versions) => {
    const order = versions.draft && newOrderIn(arrangements.get(versions.id));
    return order ? [withVersion({ ...versions, draft: { order } })] : [];
  });
}

/** The drafted order of what is published; null when it is the published one. */
function newOrderIn({ published = [], drafted = [] }: Partial<Arrangement> = {}): string[] | null {
  const order = drafted.filter((id) => published.includes(id));
  return isDeepStrictEqual(order, published) ? null : order;
}

function inOrder<Item extends { readonly id: string }>(ids: readonly string[], items: readonly Item[]): Item[] {
  return ids.flatMap((id) => items.find((item) => item.id === id) ?? []);
}

function describeCopy({ copy, reviews }: PublishedCopy, drafts: readonly SignedDraft[]): AcademyContent["copy"] {
  const published = new Map<string, Copy>(copyParts.map((part) => [part, copy[part]]));
  return versionsOf("copy", published, drafts).map((versions) => {
    const reviewedAt = reviews[versions.id as CopyPart]?.toISOString() ?? null;
    const publishedVersion = versionOf(copy[versions.id as CopyPart]);
    return { ...withVersion(versions), reviewedAt, publishedVersion };
  });
}

function describeEmails(
  changed: Readonly<Record<string, EmailTexts>>,
  drafts: readonly SignedDraft[],
): AcademyContent["emails"] {
  return Object.entries(builtInEmails).flatMap(([kind, { group, name, sent, texts }]) => {
    const published = fittingTexts(kind, changed[kind] ?? {});
    const own = ofKind("email", drafts).filter(({ id }) => id === kind);
    const settled = own.map((draft) => ({ ...draft, content: fittingTexts(kind, draft.content) }));
    const whens = Object.entries(texts).flatMap(([name, text]) => (Array.isArray(text) ? [[name, text[1]]] : []));
    const outdated = [changed[kind] ?? {}, ...own.map(({ content }) => content)].map((of) => unfitTexts(kind, of));
    return versionsOf("email", new Map([[kind, published]]), settled).map((versions) => ({
      ...withVersion(versions),
      ...{ group, name, sent, originals: originalTexts(kind) },
      ...{ whens: Object.fromEntries(whens), outdated: Object.assign({}, ...outdated) },
    }));
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

/** Sorted, since drafts and published content come in different orders. */
function fieldsOf(versions: Edited): [name: string, value: unknown][] {
  return Object.entries(latestOf(versions)).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function latestOf({ draft, published }: Edited): object {
  return draft ?? published ?? {};
}

export async function listDrafts(db: Db): Promise<Draft[]> {
  const rows = (await db
    .select()
    .from(contentDrafts)
    .orderBy(asc(contentDrafts.kind), asc(contentDrafts.id))) as unknown as Draft[];
  // The previous release writes drafts of lessons without the languages of captions.
  return rows.map((draft) =>
    draft.kind === "lesson"
      ? { ...draft, content: { ...withoutCaptions, ...(draft as Draft<"lesson">).content } }
      : draft,
  );
}

/** How much waits to be published. */
export async function countDrafts(db: Db): Promise<number> {
  const drafts = await listDrafts(db);
  const arrangements = await arrange(db, drafts);
  return drafts.filter(({ kind, id }) => kind !== "order" || newOrderIn(arrangements.get(id))).length;
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
      return row ? ((await lessonContents(db, [row])).get(id) ?? null) : null;
    },
    order: async () => {
      const { published } = (await arrange(db, [])).get(id) ?? {};
      return published ? { order: [...published] } : null;
    },
    plan: async () => {
      const [row] = await db.select().from(plans).where(eq(plans.id, id));
      return row ? planContent(row) : null;
    },
    offer: async () => (id === offerId ? currentOffer(db) : null),
    settings: async () => (id === settingsId ? currentSettings(db) : null),
    copy: async () => (await currentCopy(db))[id as CopyPart] ?? null,
    email: async () => publishedEmailTexts(db, id),
  };
  return find[kind]();
}

function moduleContent(row: ModuleRow): ModuleContent {
  const { title, description, requiredTier, comingSoon, introVideo, released } = row;
  const opensAt = row.opensAt?.toISOString() ?? null;
  return { title, description, requiredTier, comingSoon, opensAt, introVideo, released };
}

type LessonTextRow = typeof lessons.$inferSelect;

/** By lesson. */
async function lessonContents(db: Db, rows: readonly LessonTextRow[]): Promise<Map<string, LessonContent>> {
  const ids = rows.map(({ id }) => id);
  const captions = await listCaptions(db, ids);
  const checks = await listPublishedChecks(db, ids);
  return new Map(rows.map((row) => [row.id, lessonContent(row, captions.get(row.id), checks.get(row.id))]));
}

function lessonContent(
  row: LessonTextRow,
  captions: readonly Captions[] = [],
  check: CheckContent | null = null,
): LessonContent {
  const { kind, body, moduleId, title, description, durationSeconds, videoId, freePreview, comingSoon, released } = row;
  return {
    moduleId,
    title,
    description,
    duration: durationSeconds,
    kind,
    videoId,
    body,
    ...captionFields(captions),
    freePreview,
    comingSoon,
    opensAt: row.opensAt?.toISOString() ?? null,
    released,
    check,
  };
}

const withoutCaptions = { captions: null, captionsLanguage: defaultLanguage, otherCaptions: [] };

type CaptionFields = Pick<LessonContent, "captions" | "captionsLanguage" | "otherCaptions">;

/** @param captions the default language first */
function captionFields(captions: readonly Captions[]): CaptionFields {
  const [first, ...others] = captions
    .filter(({ cues }) => cues.length > 0)
    .map(({ language, cues }) => ({ language, captions: formatCaptions(cues) }));
  if (!first) return withoutCaptions;
  return { captions: first.captions, captionsLanguage: first.language, otherCaptions: others };
}

/** The captions as publishing stores them, the default language first. */
export function captionsOf({ captions, captionsLanguage, otherCaptions }: CaptionFields): Captions[] {
  return [{ language: captionsLanguage, captions }, ...otherCaptions].map(({ language, captions }) => ({
    language,
    cues: parseCaptions((captions ?? "").toWellFormed()),
  }));
}

/** With the captions as they read once published, so that equal ones are no change. */
export function settleCaptions(content: LessonContent): LessonContent {
  return { ...content, ...captionFields(captionsOf(content)) };
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
  readonly draftBy: string | null;
  readonly needs: DraftKey[];
}

/** A draft with the name of whoever changed it last. */
interface SignedDraft extends Draft {
  readonly by: string | null;
}

function versionsOf<Kind extends DraftKind>(
  kind: Kind,
  published: ReadonlyMap<string, ContentOf[Kind]>,
  drafts: readonly SignedDraft[],
): Versions<ContentOf[Kind]>[] {
  const drafted = new Map(ofKind(kind, drafts).map((one) => [one.id, one]));
  return [...new Set([...published.keys(), ...drafted.keys()])].map((id) => {
    const draft = drafted.get(id);
    return {
      id,
      published: published.get(id) ?? null,
      draft: draft?.content ?? null,
      draftAt: draft?.updatedAt.toISOString() ?? null,
      draftBy: draft?.by ?? null,
      needs: [],
    };
  });
}

function ofKind<Kind extends DraftKind, Each extends Draft>(kind: Kind, drafts: readonly Each[]) {
  return drafts.filter((one) => one.kind === kind) as (Each & Draft<Kind>)[];
}
