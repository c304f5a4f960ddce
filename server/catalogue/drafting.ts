import { isDeepStrictEqual } from "node:util";
import { and, eq, sql } from "drizzle-orm";
import type { AcademyContent, LessonContent, LessonText, ModuleContent } from "#contract/admin/content.ts";
import { invalidFields, notFound } from "#server/base/refusal.ts";
import { requireVersion } from "#server/base/version.ts";
import type { Db } from "#server/db/db.ts";
import { requirePictures } from "#server/settings/pictures.ts";
import { parseVideoId } from "#server/video/video-id.ts";
import { parseCaptions } from "./captions.ts";
import { describeContent, type TextOf } from "./content.ts";
import { withIds } from "./copy-ids.ts";
import { contentDrafts, type DraftKind } from "./tables.ts";

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
 * Saves a draft; new content comes last.
 * @throws Refusal not-found; invalid-input; conflict when the version is not the latest
 */
export async function draftContent(tx: Db, written: Written, now: Date): Promise<ContentChange> {
  await takeTurn(tx);
  const content = await describeContent(tx);
  const { kind, id, text } = written;
  if (kind === "copy") {
    const known = content.copy.find((part) => part.id === id);
    if (!known) throw notFound("content");
    requireVersion(written.version, known.version);
    return keepDraft(tx, kind, known, withIds(text), now);
  }
  if (kind === "plan" || kind === "offer" || kind === "settings") {
    const known = kind === "plan" ? content.plans.find((plan) => plan.id === id) : content[kind];
    if (!known) throw notFound("content");
    requireVersion(written.version, known.version);
    if (kind === "settings") await requirePictures(tx, text);
    return keepDraft(tx, kind, known, text, now);
  }
  if (kind === "lesson") checkLesson(text, content);
  else if (text.introVideo !== null && !parseVideoId(text.introVideo))
    throw invalidFields({ introVideo: [notPlayable] });
  const siblings: Siblings = kind === "lesson" ? lessonsOf(content, text.moduleId) : content.modules;
  if (id === "new") {
    const last = Math.max(0, ...siblings.map((one) => latest(one).position));
    const made = { id: newContentId(written, content), published: null, draft: null };
    return keepDraft(tx, kind, made, { ...text, position: last + 1 }, now);
  }
  const known = siblings.find((one) => one.id === id);
  if (!known && content.lessons.some((one) => one.id === id)) {
    throw invalidFields({ moduleId: ["A lesson stays in its module"] });
  }
  if (!known) throw notFound("content");
  requireVersion(written.version, known.version);
  return keepDraft(tx, kind, known, { ...text, position: latest(known).position }, now);
}

export interface Move {
  readonly kind: "module" | "lesson";
  readonly id: string;
  readonly before: string;
}

/**
 * Moves content in front of another; returns the positions that changed.
 * @throws Refusal not-found, also for lessons of different modules
 */
export async function moveContent(tx: Db, { kind, id, before }: Move, now: Date): Promise<ContentChange[]> {
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
  const changes: ContentChange[] = [];
  for (const [at, versions] of order.entries()) {
    const content = { ...latest(versions), position: at + 1 };
    if (content.position !== latest(versions).position) {
      changes.push(await keepDraft(tx, kind, versions, content, now));
    }
  }
  return changes;
}

interface Versions<Content> {
  readonly id: string;
  readonly published: Content | null;
  readonly draft: Content | null;
}

type Siblings = readonly (Versions<ModuleContent | LessonContent> & { readonly version: string })[];

async function keepDraft(
  tx: Db,
  kind: DraftKind,
  { id, published, draft }: Versions<object>,
  content: object,
  now: Date,
): Promise<ContentChange> {
  if (isDeepStrictEqual(content, published)) await dropDraft(tx, { kind, id });
  else {
    await tx
      .insert(contentDrafts)
      .values({ kind, id, content, updatedAt: now })
      .onConflictDoUpdate({ target: [contentDrafts.kind, contentDrafts.id], set: { content, updatedAt: now } });
  }
  return { kind, id, before: draft ?? published, after: content };
}

function latest<Content>({ draft, published }: Versions<Content>): Content {
  const content = draft ?? published;
  if (!content) throw new Error("content with neither a draft nor a published version");
  return content;
}

function lessonsOf({ lessons }: AcademyContent, moduleId: string): AcademyContent["lessons"] {
  return lessons.filter((lesson) => latest(lesson).moduleId === moduleId);
}

const notPlayable = "Not a video that can be played";

function checkLesson({ videoId, captions, moduleId }: LessonText, { modules }: AcademyContent): void {
  const errors: Record<string, string[]> = {};
  if (videoId !== "placeholder-video" && !parseVideoId(videoId)) errors.videoId = [notPlayable];
  if (captions !== null && parseCaptions(captions).length === 0) errors.captions = ["Not a WebVTT file"];
  if (!modules.some(({ id }) => id === moduleId)) errors.moduleId = ["There is no such module"];
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

export async function dropDraft(tx: Db, { kind, id }: ContentKey): Promise<void> {
  await tx.delete(contentDrafts).where(and(eq(contentDrafts.kind, kind), eq(contentDrafts.id, id)));
}
