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
  const isBacked = ({ id, text }: { id: string; text: string }) =>
    records.some(({ claimId, claimText }) => claimId === id && claimText === text);
  const since = new Map(withdrawn.map(({ claimId, withdrawnAt }) => [claimId, withdrawnAt]));
  const claims = judgeClaims({ copy, plans, offer, prices, figures, isBacked, timeZone, now }).map(
    ({ isTrue, ...claim }): Claim => ({
      ...claim,
      version: versionOf({ text: claim.text }),
      state: isTrue ? "true" : isBacked(claim) ? "backed" : "unbacked",
      withdrawnAt: since.get(claim.id)?.toISOString() ?? null,
      records: records
        .filter(({ claimId }) => claimId === claim.id)
        .map(({ id, note, link, date, recordedBy, recordedAt, claimText }) => ({
          id,
          note,
          link,
          date,
          recordedBy: addresses.get(recordedBy) ?? null,
          recordedAt: recordedAt.toISOString(),
          isCurrent: claimText === claim.text,
        })),
    }),
  );
  return { claims, unbacked: claims.filter(standsUnbacked).length };
}

function standsUnbacked({ state, withdrawnAt }: Claim): boolean {
  return state === "unbacked" && withdrawnAt === null;
}

/** Claims on the pages that neither data nor a record backs. */
export async function listUnbackedClaims(db: Db, now: Date): Promise<Claim[]> {
  return (await describeClaims(db, now)).claims.filter(standsUnbacked);
}

/** The claims in a line for operators: "500+ students enrolled (students); …". */
export function unbackedWords(claims: readonly Claim[]): string {
  const brief = (text: string) => (text.length > 60 ? `${text.slice(0, 59).trimEnd()}…` : text);
  return `nothing backs ${claims.map(({ id, text }) => `${brief(text)} (${id})`).join("; ")}`;
}

/** Withdraws the named claims, or all unbacked ones. @throws Refusal not-found. */
export async function withdraw(ctx: Context, actor: User, only: readonly string[] | undefined): Promise<ClaimsMoved> {
  return move(ctx, actor, "withdraw claims", async (tx, now) => {
    const ids = only ?? (await listUnbackedClaims(tx, now)).map(({ id }) => id);
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
  const list = await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const moved = await change(tx, now);
    if (moved.length > 0) {
      const after = Object.fromEntries(moved.map((id) => [id, action === "withdraw claims" ? "off" : "on"]));
      await recordAudit(tx, { actor: actor.id, action, subject: "claims", after }, now);
    }
    return { ...(await describeClaims(tx, now)), moved };
  });
  await waitForPages();
  return list;
}

/** @throws Refusal not-found; conflict when the claim was worded anew since `version`. */
export async function keepRecord(
  ctx: Context,
  actor: User,
  evidence: ClaimEvidence,
  version: string | undefined,
): Promise<ClaimList> {
  const { claimId, note, date } = evidence;
  const link = evidence.link || null;
  await audited(ctx, { actor, action: "back claim", subject: claimId }, async (tx, now) => {
    const [claim] = await requireClaims(tx, [claimId], now);
    requireVersion(version, claim?.version, "The claim was worded anew since you opened it. Read it again.");
    const words = { claimText: claim?.text ?? "", note, link, date };
    await addClaimRecord(tx, { id: newId(), claimId, ...words, recordedBy: actor.id, recordedAt: now });
    return { before: {}, after: words };
  });
  return describeClaims(ctx.db, ctx.clock.now());
}

/** @throws Refusal not-found. */
export async function dropRecord(ctx: Context, actor: User, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const removed = await removeClaimRecord(tx, id);
    if (!removed) throw notFound("record");
    const { claimId, claimText, note, link, date } = removed;
    const before = { claimText, note, link, date };
    const entry = { actor: actor.id, action: "drop record of claim", subject: claimId, before, after: {} };
    await recordAudit(tx, entry, ctx.clock.now());
  });
}

async function requireClaims(db: Db, ids: readonly string[], now: Date): Promise<Claim[]> {
  const { claims } = await describeClaims(db, now);
  return ids.map((id) => {
    const claim = claims.find((one) => one.id === id);
    if (!claim) throw new Refusal("not-found", `The pages make no claim ${id}.`);
    return claim;
  });
}
