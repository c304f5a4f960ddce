import { z } from "zod";
import type { AcademyContent } from "#contract/admin/content.ts";
import { fieldsOf } from "#contract/entries.ts";
import { type Change, differences, recordAudit } from "#server/audit/audit.ts";
import { requireVersion, versionOf } from "#server/base/version.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { requireFreshSignIn, type SignedIn } from "#server/identity/sessions/sessions.ts";
import type { User } from "#server/identity/users.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { isLegalText, publishedCopy, type ReviewedPart, recordReview } from "#server/settings/copy.ts";
import { currentOffer } from "#server/settings/offer.ts";
import { describeContent } from "./content.ts";
import { type ContentChange, draftContent, type Move, moveContent, takeTurn, type Written } from "./drafting.ts";
import { waitForPages } from "./page-facts.ts";
import { endOf } from "./prices.ts";
import { type ChosenDraft, discardDrafts, publishDrafts, settleEndedOffer } from "./publishing.ts";
import { requestInspection } from "./video-facts.ts";

const system = { id: "system" };

/** Saves a draft and returns all content. @throws Refusal not-found, invalid-input. */
export async function draft(ctx: Context, actor: User, written: Written): Promise<AcademyContent> {
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    await recordChange(tx, actor, "draft", await draftContent(tx, written, now), now);
    const videoId = videoOf(written);
    if (videoId) await requestInspection(ctx, tx, videoId, now);
    return describeContent(tx);
  });
}

function videoOf({ kind, text }: Written): string | null {
  return kind === "lesson" ? text.videoId : kind === "module" ? text.introVideo : null;
}

/** Moves content and returns all of it. @throws Refusal not-found. */
export async function move(ctx: Context, actor: User, what: Move): Promise<AcademyContent> {
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    for (const change of await moveContent(tx, what, now)) await recordChange(tx, actor, "draft", change, now);
    return describeContent(tx);
  });
}

/**
 * Publishes drafts and returns how many, once all pages show them.
 * @throws Refusal not-found, conflict; sign-in-again when a price, a promise or a setting needs a fresh sign-in.
 */
export async function publish(
  ctx: Context,
  signedIn: SignedIn,
  only: readonly ChosenDraft[] | undefined,
): Promise<number> {
  const published = await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    await settle(tx, now);
    const changes = await publishDrafts(tx, only, now);
    if (changes.some(isBinding)) await requireFreshSignIn({ ...ctx, db: tx }, signedIn);
    for (const change of changes) await recordChange(tx, signedIn.user, "publish", change, now);
    await scheduleEndOfOffer(tx, now);
    return changes.length;
  });
  await waitForPages();
  return published;
}

const bindingKinds: readonly ContentChange["kind"][] = ["plan", "offer", "settings"];

/** Prices, settings and legal texts, unlike lessons and other texts. */
function isBinding({ kind, id }: ContentChange): boolean {
  return bindingKinds.includes(kind) || (kind === "copy" && isLegalText(id));
}

/**
 * Records the review of a legal text and returns all content.
 * @throws Refusal conflict when another text was published since `version`.
 */
export async function review(
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

/** Runs at the end of a timed offer. */
export const endOfferJob = defineJob("end-offer", z.object({}));

export async function endOffer(ctx: Context): Promise<void> {
  await ctx.db.transaction((tx) => settle(tx, ctx.clock.now()));
}

async function settle(tx: Db, now: Date): Promise<void> {
  for (const change of await settleEndedOffer(tx, now)) await recordChange(tx, system, "end offer:", change, now);
}

async function scheduleEndOfOffer(tx: Db, now: Date): Promise<void> {
  const end = endOf(await currentOffer(tx));
  if (end === Number.POSITIVE_INFINITY) return;
  const runAt = new Date(end);
  await scheduleJob(tx, endOfferJob, { data: {}, key: runAt.toISOString(), runAt, now });
}

/** Deletes drafts and returns how many. @throws Refusal not-found. */
export async function discard(ctx: Context, actor: User, only: readonly ChosenDraft[] | undefined): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const dropped = await discardDrafts(tx, only);
    for (const { kind, id } of dropped) {
      const entry = { actor: actor.id, action: `discard draft of ${kind}`, subject: id };
      await recordAudit(tx, entry, ctx.clock.now());
    }
    return dropped.length;
  });
}

function recordChange(tx: Db, actor: Pick<User, "id">, verb: string, change: ContentChange, now: Date): Promise<void> {
  const { kind, id, before, after } = change;
  return recordAudit(tx, { actor: actor.id, action: `${verb} ${kind}`, subject: id, ...changed(before, after) }, now);
}

/** The audit log has only the length of captions, and of lists only the changed entries. */
function changed(before: object | null, after: object): Change {
  const brief = (content: object | null) => {
    const fields = fieldsOf({ ...content });
    return typeof fields.captions === "string"
      ? { ...fields, captions: `${fields.captions.length} characters` }
      : fields;
  };
  return differences(brief(before), brief(after));
}
