import { isDeepStrictEqual } from "node:util";
import { and, eq, sql } from "drizzle-orm";
import type { AcademyContent, LessonContent } from "#contract/admin/content.ts";
import { readCaptions } from "#contract/captions.ts";
import { type EmailTexts, EmailTextsLike } from "#contract/email-texts.ts";
import { fieldsOf } from "#contract/entries.ts";
import { type Change, differences, recordAudit } from "#server/audit/audit.ts";
import { movedBefore } from "#server/base/order.ts";
import { invalidFields, notFound } from "#server/base/refusal.ts";
import { requireVersion } from "#server/base/version.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import type { User } from "#server/identity/users.ts";
import { changedEmailTexts, changedTexts, unfitTexts } from "#server/settings/email-texts.ts";
import {
  hasPictures,
  pictureRetention,
  picturesIn,
  picturesOfCopy,
  picturesOfSettings,
  requirePictures,
} from "#server/settings/pictures.ts";
import { withQuestionIds } from "./checks.ts";
import { arrange, type ContentOf, describeContent, listDrafts, modulesId, settleCaptions } from "./content.ts";
import { withIds } from "./copy-ids.ts";
import { contentDrafts, type DraftKind } from "./tables.ts";
import { requestInspection } from "./video-facts.ts";

export interface ContentKey {
  readonly kind: DraftKind;
  readonly id: string;
}

export interface ContentChange extends ContentKey {
  readonly before: object | null;
  readonly after: object;
}

const maxShownFaults = 10;

/** An arbitrary constant. Editors take this lock, so that two new lessons get different ids. */
const lockKey = 7_204_420;

/** The id `new` creates a module or a lesson. */
export type Written = {
  readonly [Kind in Exclude<DraftKind, "order">]: {
    readonly kind: Kind;
    readonly id: string;
    readonly text: ContentOf[Kind];
    /** The version that the text was edited from. */
    readonly version?: string | undefined;
  };
}[Exclude<DraftKind, "order">];

/**
 * Saves a draft and returns all content; new content comes last.
 * @throws Refusal not-found; invalid-input; conflict when the version is not the latest
 */
export async function draftContent(ctx: Context, actor: User, written: Written): Promise<AcademyContent> {
  return ctx.db.transaction(async (tx) => {
    await takeTurn(tx);
    const now = ctx.clock.now();
    await keepDraft(tx, actor, await findPlace(tx, written), now);
    const videoId = videoOf(written);
    if (videoId) await requestInspection(ctx, tx, videoId, now);
    return describeContent(tx);
  });
}

function videoOf({ kind, text }: Written): string | null {
  return kind === "lesson" ? text.videoId : kind === "module" ? text.introVideo : null;
}

async function findPlace(tx: Db, written: Written): Promise<NewDraft> {
  const content = await describeContent(tx);
  const { kind, id, text } = written;
  if (kind === "copy") {
    const known = content.copy.find((part) => part.id === id);
    if (!known) throw notFound("content");
    requireVersion(written.version, known.version);
    await requirePictures(tx, picturesOfCopy(text));
    return { kind, versions: known, content: withIds(text) };
  }
  if (kind === "email") {
    const known = content.emails.find((email) => email.id === id);
    if (!known) throw notFound("content");
    requireVersion(written.version, known.version);
    const texts = checkedTexts(known.originals, text);
    const published = (await changedEmailTexts(tx, [id]))[id] ?? {};
    // Publishing the originals removes texts that no longer fit.
    const isChange = Object.keys(unfitTexts(id, published)).length > 0;
    return { kind, versions: known, content: texts, stored: changedTexts(id, texts), isChange };
  }
  if (kind === "plan" || kind === "offer" || kind === "settings") {
    const known = kind === "plan" ? content.plans.find((plan) => plan.id === id) : content[kind];
    if (!known) throw notFound("content");
    requireVersion(written.version, known.version);
    if (kind === "settings") await requirePictures(tx, picturesOfSettings(text));
    return { kind, versions: known, content: text };
  }
  if (kind === "lesson") await checkLesson(tx, text, content);
  const edited = kind === "lesson" ? { ...settleCaptions(text), check: withQuestionIds(text.check) } : text;
  if (id === "new") {
    return { kind, versions: { id: newContentId(written, content), published: null, draft: null }, content: edited };
  }
  if (kind === "lesson") {
    const known = content.lessons.find((one) => one.id === id);
    if (known && latest(known).moduleId !== text.moduleId) {
      throw invalidFields({ moduleId: ["A lesson stays in its module"] });
    }
  }
  const items: readonly (Versions<object> & { readonly version: string })[] =
    kind === "lesson" ? content.lessons : content.modules;
  const known = items.find((one) => one.id === id);
  if (!known) throw notFound("content");
  requireVersion(written.version, known.version);
  return { kind, versions: known, content: edited };
}

export interface Move {
  readonly kind: "module" | "lesson";
  readonly id: string;
  readonly before: string;
}

/**
 * Moves content in front of another and returns all content.
 * @throws Refusal not-found, also for lessons of different modules
 */
export async function moveContent(ctx: Context, actor: User, { kind, id, before }: Move): Promise<AcademyContent> {
  return ctx.db.transaction(async (tx) => {
    await takeTurn(tx);
    const content = await describeContent(tx);
    const lesson = kind === "lesson" && content.lessons.find((one) => one.id === id);
    const orderId = lesson ? latest(lesson).moduleId : modulesId;
    const items = lesson ? content.lessons.filter((one) => latest(one).moduleId === orderId) : content.modules;
    const moved = movedBefore<Versions<{ title: string }>>(items, id, before);
    if (!moved) throw notFound("content");
    if (!isDeepStrictEqual(moved, items)) {
      const order = moved.map((one) => one.id);
      const titles = (list: readonly Versions<{ title: string }>[]) => ({
        order: list.map((one) => latest(one).title),
      });
      const change = { kind: "order", id: orderId, before: titles(items), after: titles(moved) } as const;
      await writeDraft(tx, { kind: "order", id: orderId }, { order }, actor, ctx.clock.now());
      await recordChange(tx, actor.id, "draft", change, ctx.clock.now());
      await settleOrders(tx);
    }
    return describeContent(tx);
  });
}

/** Drops drafted orders that have become those of the pages, and the ids of what is gone from the others. */
export async function settleOrders(tx: Db): Promise<void> {
  const drafts = await listDrafts(tx);
  const arrangements = await arrange(tx, drafts);
  for (const { kind, id } of drafts.filter((one) => one.kind === "order")) {
    const { usual, drafted: order = [] } = arrangements.get(id) ?? {};
    if (!usual || isDeepStrictEqual(order, usual)) await dropDraft(tx, { kind, id });
    else await tx.update(contentDrafts).set({ content: { order } }).where(isDraft({ kind, id }));
  }
}

interface Versions<Content> {
  readonly id: string;
  readonly published: Content | null;
  readonly draft: Content | null;
}

interface NewDraft {
  readonly kind: DraftKind;
  readonly versions: Versions<object>;
  readonly content: object;
  /** Absent: the content. */
  readonly stored?: object;
  /** Whether there is something to publish although the published content is the same. */
  readonly isChange?: boolean;
}

async function keepDraft(
  tx: Db,
  actor: User,
  { kind, versions: { id, published, draft }, content, stored = content, isChange = false }: NewDraft,
  now: Date,
): Promise<void> {
  if (!isChange && isDeepStrictEqual(content, published)) await dropDraft(tx, { kind, id });
  else await writeDraft(tx, { kind, id }, stored, actor, now);
  await recordChange(tx, actor.id, "draft", { kind, id, before: draft ?? published, after: content }, now);
}

async function writeDraft(tx: Db, key: ContentKey, content: object, { id: updatedBy }: User, updatedAt: Date) {
  const values = { content, updatedAt, updatedBy };
  await tx
    .insert(contentDrafts)
    .values({ ...key, ...values })
    .onConflictDoUpdate({ target: [contentDrafts.kind, contentDrafts.id], set: values });
}

export async function recordChange(
  tx: Db,
  actor: string,
  verb: string,
  { kind, id, before, after }: ContentChange,
  now: Date,
): Promise<void> {
  await recordAudit(tx, { actor, action: `${verb} ${kind}`, subject: id, ...changed(before, after) }, now);
}

/** The audit log has only the length of captions and bodies, and of lists only the changed entries. */
function changed(before: object | null, after: object): Change {
  const brief = (content: Partial<LessonContent> | null) => {
    const fields: Record<string, unknown> = fieldsOf({
      ...content,
      ...(content?.check && { check: content.check.questions }),
    });
    for (const name of ["captions", "body"]) {
      const text = fields[name];
      if (typeof text === "string") fields[name] = `${text.length} characters`;
    }
    if (content?.otherCaptions) {
      fields.otherCaptions = content.otherCaptions.map(
        ({ language, captions }) => `${language}: ${captions.length} characters`,
      );
    }
    return fields;
  };
  return differences(brief(before), brief(after));
}

function latest<Content>({ draft, published }: Versions<Content>): Content {
  const content = draft ?? published;
  if (!content) throw new Error("content with neither a draft nor a published version");
  return content;
}

async function checkLesson(
  tx: Db,
  { kind, videoId, duration, body, captions, captionsLanguage, otherCaptions, moduleId }: LessonContent,
  { modules }: AcademyContent,
): Promise<void> {
  const errors: Record<string, string[]> = {};
  if (kind === "text") {
    if (videoId !== "") errors.videoId = ["A text lesson has no video"];
    if (duration < 60) errors.duration = ["Enter a reading time of at least 60 seconds"];
    if (body === null) errors.body = ["Required"];
  } else if (videoId === "") errors.videoId = ["Paste the video’s address, or choose “No video yet”"];
  if (!(await hasPictures(tx, picturesIn(body)))) errors.body = ["A picture was deleted. Upload it again"];
  if (captions !== null) Object.assign(errors, captionErrors("captions", captions));
  for (const [at, other] of otherCaptions.entries()) {
    Object.assign(errors, captionErrors(`otherCaptions.${at}.captions`, other.captions));
  }
  const languages = [captionsLanguage, ...otherCaptions.map(({ language }) => language)];
  if (new Set(languages).size < languages.length) errors.otherCaptions = ["Add each language once"];
  if (!modules.some(({ id }) => id === moduleId)) errors.moduleId = ["We couldn't find this module"];
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}

function checkedTexts(originals: EmailTexts, texts: EmailTexts): EmailTexts {
  const { data, error } = EmailTextsLike(originals).safeParse(texts);
  if (data) return data;
  throw invalidFields(
    Object.fromEntries(error.issues.map(({ path, message }) => [path.join(".") || "input", [message]])),
  );
}

function captionErrors(field: string, text: string): Record<string, string[]> {
  const faults = readCaptions(text).faults.map(({ line, message }) => `Line ${line}: ${message}`);
  return faults.length > 0 ? { [field]: faults.slice(0, maxShownFaults) } : {};
}

function newContentId(written: Written, content: AcademyContent): string {
  const prefix = written.kind === "lesson" ? `lesson-${written.text.moduleId.replace(/^module-/, "")}-` : "module-";
  const numbers = (written.kind === "lesson" ? content.lessons : content.modules)
    .filter(({ id }) => id.startsWith(prefix))
    .map(({ id }) => Number(id.slice(prefix.length)))
    .filter(Number.isInteger);
  return `${prefix}${Math.max(0, ...numbers) + 1}`;
}

export async function takeTurn(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${lockKey})`);
}

export const draftedPictureRetention = pictureRetention(
  (id) => sql`exists (select from ${contentDrafts} where position(${id} in ${contentDrafts.content}::text) > 0)`,
);

export async function dropDraft(tx: Db, { kind, id }: ContentKey): Promise<void> {
  await tx.delete(contentDrafts).where(isDraft({ kind, id }));
}

export const isDraft = ({ kind, id }: ContentKey) => and(eq(contentDrafts.kind, kind), eq(contentDrafts.id, id));
