import { and, asc, desc, eq, sql } from "drizzle-orm";
import { centsOf } from "#contract/money.ts";
import type { Db } from "#server/db/db.ts";
import { Refusal } from "#server/refusal.ts";
import { parseVideoId } from "#server/video/video-id.ts";
import { parseCaptions } from "./captions.ts";
import { setCaptions } from "./catalogue.ts";
import { type ContentOf, type Draft, findPublished, listDrafts } from "./content.ts";
import { setOffer } from "./offer.ts";
import { contentDrafts, type DraftKind, lessons, modules, plans } from "./tables.ts";

/** Names one piece of content. */
export interface ContentKey {
  readonly kind: DraftKind;
  readonly id: string;
}

/** A piece of content that changed: as it was (null: it is new) and as it is. */
export interface ContentChange extends ContentKey {
  readonly before: object | null;
  readonly after: object;
}

/** Editors take turns: two new lessons of a moment get two ids. Any number; it must only stay the same. */
const turn = 7_204_420;

/**
 * Keeps what an administrator wrote, to be published later; a draft that says what is published already is dropped.
 * The id `new` makes a module or a lesson. @throws Refusal not-found, invalid-input.
 */
export async function draftContent<Kind extends DraftKind>(
  tx: Db,
  draft: { readonly kind: Kind; readonly id: string; readonly content: ContentOf[Kind] },
  now: Date,
): Promise<ContentChange> {
  await tx.execute(sql`select pg_advisory_xact_lock(${turn})`);
  const { kind, content } = draft;
  const drafts = await listDrafts(tx);
  if (kind === "lesson") await checkLesson(tx, content as ContentOf["lesson"], drafts);
  const id = draft.id === "new" ? await newContentId(tx, kind, content, drafts) : draft.id;
  const published = await findPublished(tx, kind, id);
  const earlier = drafts.find((one) => one.kind === kind && one.id === id);
  if (draft.id !== "new" && !published && !earlier) throw new Refusal("not-found", "There is no such content.");
  if (kind === "lesson") requireSameModule(content, earlier?.content ?? published);
  if (JSON.stringify(content) === JSON.stringify(published)) await dropDraft(tx, { kind, id });
  else {
    await tx
      .insert(contentDrafts)
      .values({ kind, id, content, updatedAt: now })
      .onConflictDoUpdate({ target: [contentDrafts.kind, contentDrafts.id], set: { content, updatedAt: now } });
  }
  return { kind, id, before: earlier?.content ?? published, after: content };
}

/**
 * Puts drafts on the pages, those named or all, and numbers modules and lessons anew. @throws Refusal not-found when
 * one that is named is no draft, conflict for a lesson whose module is not published.
 */
export async function publishDrafts(
  tx: Db,
  only: readonly ContentKey[] | undefined,
  now: Date,
): Promise<ContentChange[]> {
  const chosen = await takeDrafts(tx, only);
  const changes: ContentChange[] = [];
  // Modules before the lessons in them.
  for (const kind of ["module", "lesson", "plan", "offer"] as const) {
    for (const draft of chosen.filter((one) => one.kind === kind)) {
      const before = await findPublished(tx, kind, draft.id);
      await publish(tx, draft, now);
      await dropDraft(tx, draft);
      changes.push({ kind, id: draft.id, before, after: draft.content });
    }
  }
  await numberAnew(tx);
  return changes;
}

/** Drops drafts, those named or all; the lessons drafted in a module that was never published go with it. */
export async function discardDrafts(tx: Db, only: readonly ContentKey[] | undefined): Promise<ContentKey[]> {
  const chosen = await takeDrafts(tx, only);
  const dropped: ContentKey[] = [];
  for (const { kind, id } of chosen) {
    await dropDraft(tx, { kind, id });
    dropped.push({ kind, id });
    if (kind !== "module" || (await findPublished(tx, "module", id))) continue;
    for (const lesson of (await listDrafts(tx)).filter((one) => one.kind === "lesson")) {
      if ((lesson as Draft<"lesson">).content.moduleId === id) await dropDraft(tx, lesson);
    }
  }
  return dropped;
}

async function takeDrafts(tx: Db, only: readonly ContentKey[] | undefined): Promise<Draft[]> {
  await tx.execute(sql`select pg_advisory_xact_lock(${turn})`);
  const drafts = await listDrafts(tx);
  if (!only) return drafts;
  return only.map(({ kind, id }) => {
    const draft = drafts.find((one) => one.kind === kind && one.id === id);
    if (!draft) throw new Refusal("not-found", `There is no draft of ${kind} ${id}.`);
    return draft;
  });
}

async function publish(tx: Db, draft: Draft, updatedAt: Date): Promise<void> {
  const { id } = draft;
  switch (draft.kind) {
    case "module": {
      const values = { ...(draft as Draft<"module">).content, updatedAt };
      await tx
        .insert(modules)
        .values({ id, ...values })
        .onConflictDoUpdate({ target: modules.id, set: values });
      return;
    }
    case "lesson": {
      const { captions, duration, position, ...content } = (draft as Draft<"lesson">).content;
      const values = { ...content, durationSeconds: duration, position: position - 1, updatedAt };
      if (!(await findPublished(tx, "module", content.moduleId))) {
        throw new Refusal("conflict", `Publish the module of “${content.title}” with it.`);
      }
      await tx
        .insert(lessons)
        .values({ id, ...values })
        .onConflictDoUpdate({ target: lessons.id, set: values });
      await setCaptions(tx, id, captions ?? "");
      return;
    }
    case "plan": {
      const { price, originalPrice, ...content } = (draft as Draft<"plan">).content;
      const original = originalPrice === null ? null : inCents(originalPrice);
      await tx
        .update(plans)
        .set({ ...content, price: inCents(price), originalPrice: original, updatedAt })
        .where(eq(plans.id, id));
      return;
    }
    case "offer":
      await setOffer(tx, (draft as Draft<"offer">).content, updatedAt);
  }
}

/** Modules become 1, 2, 3 and the lessons of each 0, 1, 2; of two at one place the one that changed last comes first. */
async function numberAnew(tx: Db): Promise<void> {
  const moduleRows = await tx
    .select({ id: modules.id, position: modules.position })
    .from(modules)
    .orderBy(asc(modules.position), desc(modules.updatedAt), asc(modules.id));
  for (const [at, { id, position }] of moduleRows.entries()) {
    if (position !== at + 1)
      await tx
        .update(modules)
        .set({ position: at + 1 })
        .where(eq(modules.id, id));
  }
  const lessonRows = await tx
    .select({ id: lessons.id, moduleId: lessons.moduleId, position: lessons.position })
    .from(lessons)
    .orderBy(asc(lessons.position), desc(lessons.updatedAt), asc(lessons.id));
  for (const ofModule of Map.groupBy(lessonRows, ({ moduleId }) => moduleId).values()) {
    for (const [at, { id, position }] of ofModule.entries()) {
      if (position !== at) await tx.update(lessons).set({ position: at }).where(eq(lessons.id, id));
    }
  }
}

async function checkLesson(tx: Db, lesson: ContentOf["lesson"], drafts: readonly Draft[]): Promise<void> {
  const { videoId, captions, moduleId } = lesson;
  const errors: Record<string, string[]> = {};
  if (videoId !== "placeholder-video" && !parseVideoId(videoId)) errors.videoId = ["Not a video that can be played"];
  if (captions !== null && parseCaptions(captions).length === 0) errors.captions = ["Not a WebVTT file"];
  const isKnown = drafts.some(({ kind, id }) => kind === "module" && id === moduleId);
  if (!isKnown && !(await findPublished(tx, "module", moduleId))) errors.moduleId = ["There is no such module"];
  refuseErrors(errors);
}

function requireSameModule(lesson: object, known: object | null): void {
  const moduleOf = (one: object) => (one as ContentOf["lesson"]).moduleId;
  if (known && moduleOf(known) !== moduleOf(lesson)) refuseErrors({ moduleId: ["A lesson stays in its module"] });
}

function refuseErrors(errors: Record<string, string[]>): void {
  if (Object.keys(errors).length > 0) throw new Refusal("invalid-input", "Please check the marked fields.", { errors });
}

/** `module-6`, `lesson-2-5`: one more than the highest number there is. */
async function newContentId(tx: Db, kind: DraftKind, content: object, drafts: readonly Draft[]): Promise<string> {
  if (kind !== "module" && kind !== "lesson") throw new Refusal("not-found", "There is no such content.");
  const prefix =
    kind === "module" ? "module-" : `lesson-${(content as ContentOf["lesson"]).moduleId.replace(/^module-/, "")}-`;
  const published = await (kind === "module"
    ? tx.select({ id: modules.id }).from(modules)
    : tx.select({ id: lessons.id }).from(lessons));
  const numbers = [...published, ...drafts.filter((one) => one.kind === kind)]
    .filter(({ id }) => id.startsWith(prefix))
    .map(({ id }) => Number(id.slice(prefix.length)))
    .filter(Number.isInteger);
  return `${prefix}${Math.max(0, ...numbers) + 1}`;
}

async function dropDraft(tx: Db, { kind, id }: ContentKey): Promise<void> {
  await tx.delete(contentDrafts).where(and(eq(contentDrafts.kind, kind), eq(contentDrafts.id, id)));
}

function inCents(dollars: number): number {
  const cents = centsOf(dollars);
  if (cents === null) throw new Error("a price with parts of a cent passed its schema");
  return cents;
}
