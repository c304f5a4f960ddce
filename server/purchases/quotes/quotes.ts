import { isDeepStrictEqual } from "node:util";
import { dollarsOf, formatDollars } from "#contract/money.ts";
import type { Quote } from "#contract/purchases/quotes.ts";
import { type Tier, tierRank } from "#contract/tiers.ts";
import { accessOf, listGrantsContinued, requireUnblocked } from "#server/access/access.ts";
import { after, HOUR, MINUTE } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import { type PlanRow, planOnSale } from "#server/catalogue/catalogue.ts";
import type { Db } from "#server/db/db.ts";
import { deleteUntil } from "#server/db/delete-until.ts";
import { countUse, type Limit } from "#server/db/limits.ts";
import { lockUser, type User } from "#server/identity/users.ts";
import { hasOpenAttempt, listChargesOfStudent } from "#server/payments/attempts.ts";
import type { PaymentContext } from "#server/payments/handlers.ts";
import { confirming } from "#server/payments/submissions.ts";
import { lastCompletedAt, listPurchasesOfUser } from "../queries.ts";
import { countsAsPaid, mayBuy, requirePlan } from "../rules.ts";
import { quotes } from "../tables.ts";
import { findQuote, isQuoteTaken } from "./queries.ts";
import {
  type Credit,
  creditsFor,
  linesOf,
  type PaidPeriod,
  paidPeriodsOf,
  type QuoteBasis,
  requireAmount,
  type Total,
  totalOf,
} from "./rules.ts";

const quoteTime = 15 * MINUTE;

/** More than anybody needs who compares plans. */
const quotesPerHour: Limit = {
  most: 300,
  window: HOUR,
  message: "Too many totals were asked for. Please try again in an hour.",
};

/** Cents. */
export interface Terms extends Pick<Total, "totalCents" | "creditCents"> {
  readonly credits: readonly Credit[];
  readonly quoteId: string | null;
}

/** Stands for fifteen minutes. @throws Refusal as `requireMayBuy`; plan-mismatch, payment-in-progress, conflict. */
export async function quote(
  ctx: PaymentContext,
  student: User,
  asked: { readonly tier: Tier; readonly priceId?: string | undefined },
): Promise<Quote> {
  await countUse(ctx.db, `quote ${student.id}`, quotesPerHour, ctx.clock.now());
  const plan = await planOnSale(ctx, asked.tier);
  if (asked.priceId !== undefined) requirePlan(plan, asked.priceId);
  return ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, student.id);
    const now = ctx.clock.now();
    if (await hasOpenAttempt(tx, user.id)) throw new Refusal("payment-in-progress", confirming);
    await requireMayBuy(tx, plan, user, now);
    const basis = await basisOf(ctx, tx, plan, user, now);
    if (basis.isRefundUnderWay) throw refundUnderWay();
    const { totalCents, creditCents } = totalOf(basis.listCents, basis.credits);
    const values = { userId: user.id, planId: plan.id, basis, total: totalCents };
    const expiresAt = after(now, quoteTime);
    const [row] = await tx
      .insert(quotes)
      .values({ ...values, expiresAt, createdAt: now })
      .returning();
    if (!row) throw new Error("an insert returned no row");
    return {
      quoteId: row.id,
      tier: plan.tier,
      priceId: plan.id,
      planName: plan.name,
      lines: linesOf({ planName: plan.name, listCents: basis.listCents, credits: basis.credits, creditCents }),
      total: dollarsOf(totalCents),
      totalCents,
      replaces: await listReplacedPlans(tx, plan, user, now),
      expiresAt: expiresAt.toISOString(),
    };
  });
}

/** @throws Refusal account-blocked, already-owned. */
export async function requireMayBuy(tx: Db, plan: PlanRow, user: User, now: Date): Promise<void> {
  requireUnblocked(user);
  const lastBought = await lastCompletedAt(tx, user.id);
  // Another node's clock may be ahead: what it has just sold counts as begun here too.
  const { tier } = await accessOf(tx, user.id, lastBought && lastBought > now ? lastBought : now);
  mayBuy(plan.tier, tier, lastBought, now);
}

/** In the transaction that opens the attempt. @throws Refusal quote-expired, quote-changed, amount-mismatch. */
export async function agreedTerms(
  ctx: PaymentContext,
  tx: Db,
  of: { readonly plan: PlanRow; readonly user: User; readonly now: Date },
  paid: { readonly amount: number; readonly quoteId?: string | undefined },
): Promise<Terms> {
  const { plan, user, now } = of;
  const current = await basisOf(ctx, tx, plan, user, now);
  if (paid.quoteId === undefined && current.isRefundUnderWay) throw refundUnderWay();
  const terms = paid.quoteId === undefined ? termsOf(current, null) : await quoted(ctx, tx, of, paid.quoteId, current);
  requireAmount(plan.name, terms, paid.amount);
  return terms;
}

async function quoted(
  ctx: PaymentContext,
  tx: Db,
  { plan, user, now }: { readonly plan: PlanRow; readonly user: User; readonly now: Date },
  quoteId: string,
  current: QuoteBasis,
): Promise<Terms> {
  const row = await findQuote(tx, quoteId, user.id);
  const { totalCents } = totalOf(current.listCents, current.credits);
  const newTotal = `It is ${formatDollars(dollarsOf(totalCents))} now. Nothing was charged.`;
  // Somebody else's quote must look like none.
  if (!row || row.expiresAt <= now) {
    throw new Refusal("quote-expired", `The total that you were shown has expired. ${newTotal}`, { totalCents });
  }
  requirePlan(plan, row.planId);
  // Compared at the instant of the quote: time that merely passes changes nothing.
  const then = await basisOf(ctx, tx, plan, user, row.createdAt);
  if (!isDeepStrictEqual(then, row.basis) || (await isQuoteTaken(tx, row.id))) {
    throw new Refusal("quote-changed", `Your membership has changed since the total was made. ${newTotal}`, {
      totalCents,
    });
  }
  return termsOf(row.basis, row.id);
}

function termsOf({ listCents, credits }: QuoteBasis, quoteId: string | null): Terms {
  const { totalCents, creditCents } = totalOf(listCents, credits);
  return { totalCents, creditCents, credits: credits.map(({ openUntil: _openUntil, ...credit }) => credit), quoteId };
}

async function basisOf(ctx: PaymentContext, tx: Db, plan: PlanRow, user: User, at: Date): Promise<QuoteBasis> {
  const credits = creditsFor(plan.tier, await listPaidPeriods(ctx, tx, user.id), at);
  let isRefundUnderWay = false;
  for (const { purchaseId } of credits) isRefundUnderWay ||= await ctx.paymentHandlers.hasOpenRefund(tx, purchaseId);
  return { listCents: plan.price, accountStatus: user.accountStatus, isRefundUnderWay, credits };
}

function refundUnderWay(): Refusal {
  return new Refusal("conflict", "A refund of yours is under way. Please try again when it is done.");
}

/** By name, also when nothing of them is credited. */
async function listReplacedPlans(tx: Db, plan: PlanRow, user: User, now: Date): Promise<string[]> {
  const names = new Map((await listPurchasesOfUser(tx, user.id)).map(({ id, planName }) => [id, planName]));
  const replaced = (await listGrantsContinued(tx, user.id)).flatMap(({ last }) => {
    const isReplaced = tierRank(last.tier) < tierRank(plan.tier) && (last.endsAt === null || last.endsAt > now);
    return isReplaced && last.purchaseId !== null ? (names.get(last.purchaseId) ?? []) : [];
  });
  return [...new Set(replaced)];
}

async function listPaidPeriods(ctx: PaymentContext, db: Db, userId: string): Promise<PaidPeriod[]> {
  const continued = await listGrantsContinued(db, userId);
  if (continued.length === 0) return [];
  const charges = await listChargesOfStudent(db, userId);
  const returned = await ctx.paymentHandlers.sumReturnedOf(
    db,
    charges.map(({ id }) => id),
  );
  const paid = (await listPurchasesOfUser(db, userId)).filter(countsAsPaid);
  return paidPeriodsOf(continued, charges, paid, returned);
}

/** A purchase keeps its own copy. */
export async function purgeQuotes(db: Db, now: Date): Promise<void> {
  await deleteUntil(db, quotes, quotes.expiresAt, now);
}
