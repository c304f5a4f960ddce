import { isDeepStrictEqual } from "node:util";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { communityMembers } from "#content/communities/members.ts";
import type { AcademyContent, LessonContent, ModuleContent } from "#contract/admin/content.ts";
import type { EmailTexts } from "#contract/email-texts.ts";
import { centsOf } from "#contract/money.ts";
import { noVideo } from "#contract/video-id.ts";
import { recordAudit } from "#server/audit/audit.ts";
import { after, MINUTE } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import { requireVersion, versionOf } from "#server/base/version.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { requireFreshSignIn } from "#server/identity/sessions/fresh-sign-in.ts";
import type { SignedIn } from "#server/identity/sessions/sessions.ts";
import type { User } from "#server/identity/users.ts";
import { defineJob, scheduleJobs } from "#server/jobs/jobs.ts";
import { isLegalText, publishedCopy, type ReviewedPart, recordReview, setCopy } from "#server/settings/copy.ts";
import { fittingTexts, setEmailTexts } from "#server/settings/email-texts.ts";
import { setOffer } from "#server/settings/offer.ts";
import {
  hasPictures,
  picturesIn,
  picturesOfCopy,
  picturesOfSettings,
  publishNamedPictures,
  publishPictures,
} from "#server/settings/pictures.ts";
import { currentSettings, setSettings } from "#server/settings/settings.ts";
import { publishCheck } from "./checks.ts";
import { withdrawClaims } from "./claims.ts";
import { arrange, captionsOf, type Draft, describeContent, findPublished, listDrafts } from "./content.ts";
import { type ContentKey, dropDraft, recordChange, settleOrders, takeTurn } from "./drafting.ts";
import { type Described, recordLessonChanges, requireDescribed } from "./lesson-changes.ts";
import { scheduleEndOfOffer, settleEndedOffer } from "./offer-end.ts";
import { discardOrder, place } from "./orders.ts";
import { waitForPages } from "./page-facts.ts";
import { endOf, recordPlanPrices } from "./prices.ts";
import { listOpenings, listProduced, replaceCaptions } from "./queries.ts";
import { lessons, modules, pastPlanNames, plans } from "./tables.ts";
import { doubtAbout, findVideoFacts, inspectWaiting } from "./video-facts.ts";

/** A draft in the version that somebody saw. */
export interface ChosenDraft extends ContentKey {
  readonly version?: string | undefined;
}

/**
 * Publishes the named drafts, or all, and returns how many, once all pages show them.
 * @param despite ids of lessons and modules whose videos may fail or lack captions
 * @param described what changed for students, by lesson
 * @throws Refusal not-found; conflict for a draft of another version, and for one that needs another draft;
 * undescribed-change, unplayable-video or no-captions, with a sentence for each; sign-in-again when a price, a promise
 * or a setting needs a fresh sign-in.
 */
export async function publishDrafts(
  ctx: Context,
  signedIn: SignedIn,
  only: readonly ChosenDraft[] | undefined,
  despite: readonly string[] = [],
  described: Described = {},
): Promise<number> {
  const isChosen = (draft: Draft) => !only || only.some(({ kind, id }) => kind === draft.kind && id === draft.id);
  const drafts = (await listDrafts(ctx.db)).filter(isChosen);
  await inspectWaiting(
    ctx,
    drafts.flatMap(({ kind, content }) => shownVideo(kind, content)?.videoId ?? []),
  );
  const published = await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    await settleEndedOffer(tx, now);
    const chosen = await takeDrafts(tx, only);
    const waiting = await listDrafts(tx);
    requireNeeded(chosen, waiting);
    const publication = { before: await listProduced(tx, now), described };
    await requireDescribed(tx, chosen, publication);
    await requireVideos(
      ctx,
      tx,
      chosen.filter(({ id }) => !despite.includes(id)),
    );
    const arrangements = await arrange(tx, waiting);
    for (const kind of ["module", "lesson", "plan", "offer", "settings", "copy", "email"] as const) {
      for (const draft of chosen.filter((one) => one.kind === kind)) {
        const { id, content } = draft;
        const after = kind === "email" ? fittingTexts(id, content as EmailTexts) : content;
        const before = await findPublished(tx, kind, id);
        await publish(tx, draft, now);
        await dropDraft(tx, draft);
        await recordChange(tx, signedIn.user.id, "publish", { kind, id, before, after }, now);
      }
    }
    if (chosen.some(isBinding)) await requireFreshSignIn({ ...ctx, db: tx }, signedIn);
    for (const [id, arrangement] of arrangements) await place(tx, id, arrangement, chosen, signedIn.user.id, now);
    await settleOrders(tx);
    await recordPlanPrices(tx, now);
    await scheduleEndOfOffer(tx, now);
    if (chosen.some(({ kind }) => kind === "module" || kind === "lesson")) {
      await scheduleOpenings(tx, now);
      await recordLessonChanges(tx, publication, now);
    }
    return chosen.length;
  });
  await waitForPages();
  return published;
}

async function requireVideos(ctx: Context, tx: Db, drafts: readonly Draft[]): Promise<void> {
  const doubted: Record<string, string> = {};
  const silent: Record<string, string> = {};
  for (const draft of drafts) {
    const after = shownVideo(draft.kind, draft.content);
    if (!after) continue;
    const published = await findPublished(tx, draft.kind, draft.id);
    const before = shownVideo(draft.kind, published);
    const doubt = await doubtAbout(ctx, tx, after, !isDeepStrictEqual(after, before));
    if (doubt) doubted[draft.id] = doubt;
    const wasSilent = before?.videoId === after.videoId && lacksCaptions(draft.kind, published);
    if (lacksCaptions(draft.kind, draft.content) && !wasSilent) silent[draft.id] = withoutCaptions;
  }
  const ids = Object.keys({ ...doubted, ...silent });
  if (ids.length === 0) return;
  const errors = Object.fromEntries(ids.map((id) => [id, [[doubted[id], silent[id]].filter(Boolean).join(" ")]]));
  const videos = ids.length === 1 ? "1 video" : `${ids.length} videos`;
  if (Object.keys(doubted).length === 0)
    throw new Refusal("no-captions", `There are no captions for ${videos}.`, { errors });
  throw new Refusal("unplayable-video", `Students may not be able to watch ${videos}.`, { errors });
}

const withoutCaptions =
  "It has no captions. Students who can’t hear it can’t follow it, and search doesn’t find what it says.";

function lacksCaptions(kind: ContentKey["kind"], content: object | null): boolean {
  return kind === "lesson" && (content as LessonContent | null)?.captions === null;
}

/** The video that students see once the content is published, with a lesson's length as entered; null without one. */
function shownVideo(kind: ContentKey["kind"], content: object | null) {
  if (kind === "module") {
    const { released, introVideo } = (content ?? {}) as Partial<ModuleContent>;
    return released && introVideo ? { videoId: introVideo } : null;
  }
  if (kind !== "lesson") return null;
  const { released, comingSoon, videoId, duration = 0 } = (content ?? {}) as Partial<LessonContent>;
  return released && !comingSoon && videoId && videoId !== noVideo ? { videoId, duration } : null;
}

const bindingKinds: readonly ContentKey["kind"][] = ["plan", "offer", "settings", "email"];

/** Prices, settings, legal texts and what students get by email, unlike lessons and other texts. */
function isBinding({ kind, id }: ContentKey): boolean {
  return bindingKinds.includes(kind) || (kind === "copy" && isLegalText(id));
}

/**
 * Records the review of a legal text and returns all content.
 * @throws Refusal conflict when another text was published since `version`.
 */
export async function reviewLegalText(
  ctx: Context,
  actor: User,
  part: ReviewedPart,
  version: string | undefined,
): Promise<AcademyContent> {
  return ctx.db.transaction(async (tx) => {
    await takeTurn(tx);
    const now = ctx.clock.now();
    const { copy } = await publishedCopy(tx);
    requireVersion(version, versionOf(copy[part]), "Another text was published since you opened this. Read it again.");
    await recordReview(tx, part, now);
    await recordAudit(tx, { actor: actor.id, action: "review copy", subject: part }, now);
    return describeContent(tx);
  });
}

/** Runs when lessons open, by the clock or by publishing. */
export const mailOpeningsJob = defineJob("mail-openings", z.object({}), { lane: "mail" });

/** After it, no node takes requests for what has opened, even if its clock is slow. */
const lateRequests = 5 * MINUTE;

export async function scheduleOpenings(tx: Db, now: Date): Promise<void> {
  const times = [now, ...(await listOpenings(tx, now))].flatMap((time) => [time, after(time, lateRequests)]);
  await scheduleJobs(
    tx,
    mailOpeningsJob,
    times.map((runAt) => ({ data: {}, key: runAt.toISOString(), runAt, now })),
  );
}

/**
 * Deletes the named drafts, or all, and returns how many; lessons of a module that was never published go with it.
 * @throws Refusal not-found; conflict for a draft of another version
 */
export async function discardDrafts(
  ctx: Context,
  actor: User,
  only: readonly ChosenDraft[] | undefined,
): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const chosen = await takeDrafts(tx, only);
    for (const { kind, id } of chosen) {
      if (kind === "order") await discardOrder(tx, id);
      else await dropDraft(tx, { kind, id });
      const entry = { actor: actor.id, action: `discard draft of ${kind}`, subject: id };
      await recordAudit(tx, entry, ctx.clock.now());
      if (kind !== "module" || (await findPublished(tx, "module", id))) continue;
      for (const lesson of (await listDrafts(tx)).filter((one) => one.kind === "lesson")) {
        if ((lesson as Draft<"lesson">).content.moduleId === id) await dropDraft(tx, lesson);
      }
    }
    await settleOrders(tx);
    return chosen.length;
  });
}

interface ChosenContent extends Draft {
  readonly title: string;
  /** What cannot be published before these is named by its title. */
  readonly needs: readonly ContentKey[];
}

async function takeDrafts(tx: Db, only: readonly ChosenDraft[] | undefined): Promise<ChosenContent[]> {
  await takeTurn(tx);
  const drafts = await listDrafts(tx);
  const { modules, lessons, orders, plans, offer, settings, copy, emails } = await describeContent(tx);
  const known = {
    module: modules,
    lesson: lessons,
    order: orders,
    plan: plans,
    offer: [offer],
    settings: [settings],
    copy,
    email: emails,
  };
  const keys = new Map((only ?? drafts).map((key: ChosenDraft) => [`${key.kind} ${key.id}`, key]));
  return [...keys.values()].map(({ kind, id, version }) => {
    const draft = drafts.find((one) => one.kind === kind && one.id === id);
    if (!draft) throw new Refusal("not-found", "Someone else has already published or discarded this draft.");
    const found = known[kind].find((one) => one.id === id);
    const { title, name = title } = draft.content as { title?: string; name?: string };
    const who = found?.draftBy ?? "Someone";
    const what = name ? `“${name}”` : "a draft";
    requireVersion(
      version,
      found?.version,
      `${who} has changed ${what} since you looked at it. Review the change, then publish again.`,
    );
    return { ...draft, title: name ?? "", needs: found?.needs ?? [] };
  });
}

/** @throws Refusal conflict, with the title of what has to be published too */
function requireNeeded(chosen: readonly ChosenContent[], drafts: readonly Draft[]): void {
  for (const { title, needs } of chosen) {
    const missing = needs.find(({ kind, id }) => !chosen.some((one) => one.kind === kind && one.id === id));
    const needed = drafts.find(({ kind, id }) => kind === missing?.kind && id === missing.id) as
      | Draft<"module">
      | undefined;
    if (needed) throw new Refusal("conflict", `Publish the module “${needed.content.title}” together with “${title}”.`);
  }
}

/** Until `place` has put it in its order. */
const unplaced = 0;

async function publish(tx: Db, draft: Draft, updatedAt: Date): Promise<void> {
  const { id } = draft;
  await publishPictures(tx, picturesIn(JSON.stringify(draft.content)), updatedAt);
  switch (draft.kind) {
    case "module": {
      const { opensAt, ...content } = (draft as Draft<"module">).content;
      const values = { ...content, opensAt: opensAt ? new Date(opensAt) : null, updatedAt };
      await tx
        .insert(modules)
        .values({ id, position: unplaced, ...values })
        .onConflictDoUpdate({ target: modules.id, set: values });
      return;
    }
    case "lesson": {
      const lesson = (draft as Draft<"lesson">).content;
      const { captions: _, captionsLanguage: __, otherCaptions: ___, ...others } = lesson;
      const { check, duration, opensAt: opening, ...content } = others;
      const opensAt = opening ? new Date(opening) : null;
      const facts = duration > 0 ? null : await findVideoFacts(tx, content.videoId);
      const durationSeconds = facts?.durationSeconds ?? duration;
      const values = { ...content, opensAt, durationSeconds, updatedAt };
      if (!(await hasPictures(tx, picturesIn(content.body)))) {
        throw new Refusal("conflict", `A picture of “${content.title}” was deleted. Upload it again.`);
      }
      await tx
        .insert(lessons)
        .values({ id, position: unplaced, ...values })
        .onConflictDoUpdate({ target: lessons.id, set: values });
      await replaceCaptions(tx, id, captionsOf(lesson));
      await publishCheck(tx, id, check, updatedAt);
      return;
    }
    case "plan": {
      const { price, originalPrice, ...content } = (draft as Draft<"plan">).content;
      const original = originalPrice === null ? null : inCents(originalPrice);
      await keepPlanName(tx, id, content.name, updatedAt);
      await tx
        .update(plans)
        .set({ ...content, price: inCents(price), originalPrice: original, updatedAt })
        .where(eq(plans.id, id));
      return;
    }
    case "offer": {
      const { content: offer } = draft as Draft<"offer">;
      if (endOf(offer) <= updatedAt.getTime()) {
        throw new Refusal("conflict", "The end of the offer has passed. Choose another one.");
      }
      await setOffer(tx, offer, updatedAt);
      return;
    }
    case "settings": {
      const before = await currentSettings(tx);
      const settings = { ...before, ...(draft as Draft<"settings">).content };
      await publishNamedPictures(tx, picturesOfSettings(settings), updatedAt);
      // The claimed number of members belongs to the chat before.
      if (!isDeepStrictEqual(settings.chat, before.chat)) {
        await withdrawClaims(tx, [communityMembers.claim], updatedAt);
      }
      await setSettings(tx, settings, updatedAt);
      return;
    }
    case "copy": {
      const { content: copy } = draft as Draft<"copy">;
      await publishNamedPictures(tx, picturesOfCopy(copy), updatedAt);
      await setCopy(tx, copy, updatedAt);
      return;
    }
    case "email": {
      const { content: texts } = draft as Draft<"email">;
      await setEmailTexts(tx, id, fittingTexts(id, texts), updatedAt);
    }
  }
}

async function keepPlanName(tx: Db, planId: string, name: string, now: Date): Promise<void> {
  const [before] = await tx.select({ name: plans.name }).from(plans).where(eq(plans.id, planId));
  if (!before || before.name === name) return;
  await tx.insert(pastPlanNames).values({ planId, name: before.name, until: now }).onConflictDoNothing();
}

function inCents(dollars: number): number {
  const cents = centsOf(dollars);
  if (cents === null) throw new Error("a price with parts of a cent passed its schema");
  return cents;
}
