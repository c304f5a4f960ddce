import { isDeepStrictEqual } from "node:util";
import { and, eq, sql } from "drizzle-orm";
import type { AcademyContent, LessonContent, LessonText, ModuleContent } from "#contract/admin/content.ts";
import { parseCaptions } from "#contract/captions.ts";
import { fieldsOf } from "#contract/entries.ts";
import { type Change, differences, recordAudit } from "#server/audit/audit.ts";
import { invalidFields, notFound } from "#server/base/refusal.ts";
import { requireVersion } from "#server/base/version.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import type { User } from "#server/identity/users.ts";
import { hasPictures, pictureRetention, picturesIn, requirePictures } from "#server/settings/pictures.ts";
import { withQuestionIds } from "./checks.ts";
import { describeContent, type TextOf } from "./content.ts";
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

/** An arbitrary constant. Editors take this lock, so that two new lessons get different ids. */
const lockKey = 7_204_420;

/** The id `new` creates a module or a lesson. */
export type Written = {
  readonly [Kind in DraftKind]: {
    readonly kind: Kind;
    readonly id: string;
    readonly text: TextOf[Kind];
    /** The version that the text was edited from. */
    readonly version?: string | undefined;
  };
}[DraftKind];

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
    return { kind, versions: known, content: withIds(text) };
  }
  if (kind === "plan" || kind === "offer" || kind === "settings") {
    const known = kind === "plan" ? content.plans.find((plan) => plan.id === id) : content[kind];
    if (!known) throw notFound("content");
    requireVersion(written.version, known.version);
    if (kind === "settings") await requirePictures(tx, text);
    return { kind, versions: known, content: text };
  }
  if (kind === "lesson") await checkLesson(tx, text, content);
  const edited = kind === "lesson" ? { ...text, check: withQuestionIds(text.check) } : text;
  const siblings: Siblings = kind === "lesson" ? lessonsOf(content, text.moduleId) : content.modules;
  if (id === "new") {
    const last = Math.max(0, ...siblings.map((one) => latest(one).position));
    const made = { id: newContentId(written, content), published: null, draft: null };
    return { kind, versions: made, content: { ...edited, position: last + 1 } };
  }
  const known = siblings.find((one) => one.id === id);
  if (!known && content.lessons.some((one) => one.id === id)) {
    throw invalidFields({ moduleId: ["A lesson stays in its module"] });
  }
  if (!known) throw notFound("content");
  requireVersion(written.version, known.version);
  return { kind, versions: known, content: { ...edited, position: latest(known).position } };
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
    const lesson = content.lessons.find((one) => one.id === id);
    const ofLesson = lesson ? lessonsOf(content, latest(lesson).moduleId) : [];
    const siblings: Siblings = kind === "lesson" ? ofLesson : content.modules;
    const moved = siblings.find((one) => one.id === id);
    const order = siblings.filter((one) => one !== moved);
    const index = order.findIndex((one) => one.id === before);
    if (!moved || index < 0) throw notFound("content");
    order.splice(index, 0, moved);
    for (const [at, versions] of order.entries()) {
      const content = { ...latest(versions), position: at + 1 };
      if (content.position === latest(versions).position) continue;
      await keepDraft(tx, actor, { kind, versions, content }, ctx.clock.now());
    }
    return describeContent(tx);
  });
}

interface Versions<Content> {
  readonly id: string;
  readonly published: Content | null;
  readonly draft: Content | null;
}

type Siblings = readonly (Versions<ModuleContent | LessonContent> & { readonly version: string })[];

interface NewDraft {
  readonly kind: DraftKind;
  readonly versions: Versions<object>;
  readonly content: object;
}

async function keepDraft(
  tx: Db,
  actor: User,
  { kind, versions: { id, published, draft }, content }: NewDraft,
  now: Date,
): Promise<void> {
  if (isDeepStrictEqual(content, published)) await dropDraft(tx, { kind, id });
  else {
    await tx
      .insert(contentDrafts)
      .values({ kind, id, content, updatedAt: now })
      .onConflictDoUpdate({ target: [contentDrafts.kind, contentDrafts.id], set: { content, updatedAt: now } });
  }
  await recordChange(tx, actor.id, "draft", { kind, id, before: draft ?? published, after: content }, now);
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
    return fields;
  };
  return differences(brief(before), brief(after));
}

function latest<Content>({ draft, published }: Versions<Content>): Content {
  const content = draft ?? published;
  if (!content) throw new Error("content with neither a draft nor a published version");
  return content;
}

function lessonsOf({ lessons }: AcademyContent, moduleId: string): AcademyContent["lessons"] {
  return lessons.filter((lesson) => latest(lesson).moduleId === moduleId);
}

async function checkLesson(
  tx: Db,
  { kind, videoId, duration, body, captions, moduleId }: LessonText,
  { modules }: AcademyContent,
): Promise<void> {
  const errors: Record<string, string[]> = {};
  if (kind === "text") {
    if (videoId !== "") errors.videoId = ["A text lesson has no video"];
    if (duration < 60) errors.duration = ["Enter a reading time of at least 60 seconds"];
    if (body === null) errors.body = ["Required"];
  } else if (videoId === "") errors.videoId = ["Paste the video’s address, or choose “No video yet”"];
  if (!(await hasPictures(tx, picturesIn(body)))) errors.body = ["A picture was deleted. Upload it again"];
  if (captions !== null && parseCaptions(captions).length === 0) errors.captions = ["Not a WebVTT file"];
  if (!modules.some(({ id }) => id === moduleId)) errors.moduleId = ["We couldn't find this module"];
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
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
  await tx.delete(contentDrafts).where(and(eq(contentDrafts.kind, kind), eq(contentDrafts.id, id)));
}
