import type { Claim, ClaimEvidence, ClaimList, ClaimsMoved } from "#contract/admin/claims.ts";
import { audited, recordAudit } from "#server/audit/audit.ts";
import { after, DAY } from "#server/base/clock.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import { requireVersion, versionOf } from "#server/base/version.ts";
import { listActivePlans } from "#server/catalogue/catalogue.ts";
import {
  addClaimRecord,
  listClaimRecords,
  listWithdrawn,
  removeClaimRecord,
  restoreClaims,
  withdrawClaims,
} from "#server/catalogue/claims.ts";
import { waitForPages } from "#server/catalogue/page-facts.ts";
import { listPlanPrices } from "#server/catalogue/prices.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import type { User } from "#server/identity/users.ts";
import { currentCopy } from "#server/settings/copy.ts";
import { currentOffer } from "#server/settings/offer.ts";
import { currentSettings } from "#server/settings/settings.ts";
import { listAddresses, readFigures } from "./queries.ts";
import { judgeClaims, wasPriceDays } from "./rules.ts";

export async function describeClaims(db: Db, now: Date): Promise<ClaimList> {
  const copy = await currentCopy(db);
  const plans = await listActivePlans(db);
  const offer = await currentOffer(db);
  const { timeZone } = await currentSettings(db);
  const figures = await readFigures(db, after(now, -wasPriceDays.of * DAY));
  const records = await listClaimRecords(db);
  const withdrawn = await listWithdrawn(db);
  const prices = await listPlanPrices(
    db,
    plans.map(({ id }) => id),
  );
  const addresses = await listAddresses(
    db,
    records.map(({ recordedBy }) => recordedBy),
  );
  const hasRecord = (exemption: boolean) => (claim: { id: string; text: string }) =>
    records.some(
      ({ claimId, claimText, isExemption }) =>
        claimId === claim.id && claimText === claim.text && isExemption === exemption,
    );
  const hasProof = hasRecord(false);
  const isExempt = hasRecord(true);
  const since = new Map(withdrawn.map(({ claimId, withdrawnAt }) => [claimId, withdrawnAt]));
  const claims = judgeClaims({ copy, plans, offer, prices, figures, hasProof, timeZone, now }).map(
    ({ isTrue, ...claim }): Claim => ({
      ...claim,
      version: versionOf({ text: claim.text }),
      state: isTrue
        ? "true"
        : hasProof(claim)
          ? "proved"
          : claim.canBeExempt && isExempt(claim)
            ? "exempt"
            : "unproved",
      withdrawnAt: since.get(claim.id)?.toISOString() ?? null,
      records: records
        .filter(({ claimId }) => claimId === claim.id)
        .map(({ id, note, link, date, recordedBy, recordedAt, claimText, isExemption }) => ({
          id,
          note,
          link,
          date,
          recordedBy: addresses.get(recordedBy) ?? null,
          recordedAt: recordedAt.toISOString(),
          isCurrent: claimText === claim.text && (claim.canBeExempt || !isExemption),
          isExemption,
        })),
    }),
  );
  return { claims, unproved: claims.filter(isUnproved).length };
}

function isUnproved({ state, withdrawnAt }: Claim): boolean {
  return state === "unproved" && withdrawnAt === null;
}

/** Claims on the pages that neither data nor a record proves. */
export async function listUnprovedClaims(db: Db, now: Date): Promise<Claim[]> {
  return (await describeClaims(db, now)).claims.filter(isUnproved);
}

/** The claims in a line for operators: "500+ students enrolled (students); …". */
export function unprovedWords(claims: readonly Claim[]): string {
  const brief = (text: string) => (text.length > 60 ? `${text.slice(0, 59).trimEnd()}…` : text);
  return `no proof yet of ${claims.map(({ id, text }) => `${brief(text)} (${id})`).join("; ")}`;
}

/** Withdraws the named claims, or all unproved ones. @throws Refusal not-found. */
export async function withdraw(ctx: Context, actor: User, only: readonly string[] | undefined): Promise<ClaimsMoved> {
  return move(ctx, actor, "withdraw claims", async (tx, now) => {
    const ids = only ?? (await listUnprovedClaims(tx, now)).map(({ id }) => id);
    if (only) await requireClaims(tx, only, now);
    return withdrawClaims(tx, ids, now);
  });
}

/** @throws Refusal not-found. */
export async function restore(ctx: Context, actor: User, only: readonly string[]): Promise<ClaimsMoved> {
  return move(ctx, actor, "restore claims", async (tx, now) => {
    await requireClaims(tx, only, now);
    return restoreClaims(tx, only);
  });
}

async function move(
  ctx: Context,
  actor: User,
  action: string,
  change: (tx: Db, now: Date) => Promise<string[]>,
): Promise<ClaimsMoved> {
  const reply = await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const moved = await change(tx, now);
    const list = await describeClaims(tx, now);
    if (moved.length > 0) {
      const texts = list.claims.filter(({ id }) => moved.includes(id)).map(({ text }) => text);
      await recordAudit(tx, { actor: actor.id, action, subject: "claims", after: { claims: texts } }, now);
    }
    return { ...list, moved };
  });
  await waitForPages();
  return reply;
}

/** @throws Refusal not-found; conflict when the claim's text changed after `version`. */
export async function addRecord(
  ctx: Context,
  actor: User,
  evidence: ClaimEvidence,
  version: string | undefined,
): Promise<ClaimList> {
  const { claimId, note, date } = evidence;
  const link = evidence.link || null;
  await audited(ctx, { actor, action: "add proof of claim", subject: claimId }, async (tx, now) => {
    const claim = await requireClaim(tx, claimId, version, now);
    const words = { claimText: claim.text, note, link, date };
    await addClaimRecord(tx, { id: newId(), claimId, ...words, recordedBy: actor.id, recordedAt: now });
    return { before: {}, after: words };
  });
  return describeClaims(ctx.db, ctx.clock.now());
}

/**
 * Marks the current text of a claim as not about people, prices or results.
 * @throws Refusal not-found; conflict when the text changed after `version`, or is about people or prices
 */
export async function exemptClaim(
  ctx: Context,
  actor: User,
  claimId: string,
  version: string | undefined,
): Promise<ClaimList> {
  await audited(ctx, { actor, action: "mark claim", subject: claimId }, async (tx, now) => {
    const claim = await requireClaim(tx, claimId, version, now);
    if (!claim.canBeExempt) {
      throw new Refusal("conflict", "This claim is about people or prices, so it needs proof. Add proof or remove it.");
    }
    const date = now.toISOString().slice(0, 10);
    // During a rollout, the previous release shows this note and counts the claim as proved.
    const note = "Not about people, prices or results.";
    await addClaimRecord(tx, {
      ...{ id: newId(), claimId, claimText: claim.text, note, link: null, date, isExemption: true },
      ...{ recordedBy: actor.id, recordedAt: now },
    });
    return { before: {}, after: { claimText: claim.text } };
  });
  return describeClaims(ctx.db, ctx.clock.now());
}

/** @throws Refusal not-found. */
export async function removeRecord(ctx: Context, actor: User, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const removed = await removeClaimRecord(tx, id);
    if (!removed) throw notFound("record");
    const { claimId, claimText, note, link, date, isExemption } = removed;
    const before = isExemption ? { claimText } : { claimText, note, link, date };
    const action = isExemption ? "unmark claim" : "delete proof of claim";
    await recordAudit(tx, { actor: actor.id, action, subject: claimId, before, after: {} }, ctx.clock.now());
  });
}

async function requireClaim(db: Db, id: string, version: string | undefined, now: Date): Promise<Claim> {
  const [claim] = await requireClaims(db, [id], now);
  requireVersion(version, claim?.version, "The claim's text changed after you opened it. Review it and try again.");
  if (!claim) throw new Error("a claim that was required is missing");
  return claim;
}

async function requireClaims(db: Db, ids: readonly string[], now: Date): Promise<Claim[]> {
  const { claims } = await describeClaims(db, now);
  return ids.map((id) => {
    const claim = claims.find((one) => one.id === id);
    if (!claim) throw new Refusal("not-found", "This claim isn't on the pages anymore. Reload the list.");
    return claim;
  });
}
