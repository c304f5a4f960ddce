import { isDeepStrictEqual } from "node:util";
import { dollarsOf } from "#contract/money.ts";
import type { Quote } from "#contract/purchases/quotes.ts";
import { paymentBeingConfirmed } from "#contract/purchases/sentences.ts";
import { renews, type Tier, tierRank } from "#contract/tiers.ts";
import { accessOf, listGrantsContinued, listGrantsNotOver, requireUnblocked } from "#server/access/access.ts";
import { DAY, HOUR } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import { currentPlanNames, type PlanRow, planOnSale } from "#server/catalogue/catalogue.ts";
import {
  couponNeedsConfirmedAddress,
  couponRefused,
  type Discount,
  findDiscount,
  reserveUse,
  tryCode,
} from "#server/coupons/coupons.ts";
import type { Db } from "#server/db/db.ts";
import { countUse, type RateLimit } from "#server/db/rate-limits.ts";
import type { RetentionRule } from "#server/db/retention.ts";
import { requireNothingStops, whatStops } from "#server/discrepancies/discrepancies.ts";
import type { Client } from "#server/http/client.ts";
import { confirmedHashOf, lockUser, type User } from "#server/identity/users.ts";
import { hasOpenAttempt, listChargesOfStudent } from "#server/payments/attempts.ts";
import type { PaymentContext } from "#server/payments/handlers.ts";
import { currentSettings } from "#server/settings/settings.ts";
import { findFirstPayment, lastCompletedAt, listPurchasesOfUser } from "../queries.ts";
import { coveredUntil } from "../refund-policy.ts";
import { givesCredit, mayBuy, requirePlan } from "../rules.ts";
import { quotes } from "../tables.ts";
import { findQuote, isQuoteTaken, saveQuote } from "./queries.ts";
import {
  basisVersion,
  type Credit,
  checkAgain,
  creditsFor,
  holdsUntil,
  linesOf,
  type PaidPeriod,
  paidPeriodsOf,
  type QuoteBasis,
  requireAmount,
  sourcesOf,
  type Total,
  totalOf,
  updatedTo,
} from "./rules.ts";

/** More than comparing plans needs. */
const quotesPerHour: RateLimit = {
  max: 300,
  window: HOUR,
  message: "You've checked prices too often. Please try again in an hour.",
};

/** Cents. */
export interface Terms extends Pick<Total, "totalCents" | "creditCents">, Pick<QuoteBasis, "refundDays" | "coaching"> {
  readonly credits: readonly Credit[];
  readonly discountCents: number;
  readonly couponCode: string | null;
  /** Of the first renewal. Null: each period costs the same, or nothing renews. */
  readonly renewalCents: number | null;
  readonly discountedRenewals: number;
  /** After the discounted renewals. Null without those. */
  readonly laterCents: number | null;
  readonly quoteId: string | null;
}

/**
 * Makes a quote that holds until the next credited day ends.
 * @throws Refusal as `requireMayBuy`; plan-mismatch, payment-disputed, payment-in-progress, conflict, coupon-refused,
 * too-many-requests.
 */
export async function quote(
  ctx: PaymentContext,
  student: User,
  asked: { readonly tier: Tier; readonly priceId?: string | undefined; readonly code?: string | undefined },
  client: Client,
): Promise<Quote> {
  await countUse(ctx.db, `quote ${student.id}`, quotesPerHour, ctx.clock.now());
  const plan = await planOnSale(ctx, asked.tier);
  const { priceId, code } = asked;
  if (priceId !== undefined) requirePlan(plan, priceId);
  if (code !== undefined) {
    if (!student.emailVerified) throw couponNeedsConfirmedAddress();
    const now = ctx.clock.now();
    const by = { userId: student.id, clientHash: ctx.hashClient(client) };
    await tryCode(ctx.db, by, (tx) => discountFor(ctx, tx, code, { plan, user: student, at: now }), now);
  }
  return ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, student.id);
    const now = ctx.clock.now();
    await requireNothingStops(tx, "charges", user.id);
    if (await hasOpenAttempt(tx, user.id)) throw new Refusal("payment-in-progress", paymentBeingConfirmed);
    await requireMayBuy(tx, plan, user, now);
    const basis = await basisOf(ctx, tx, { plan, user, at: now }, code);
    if (basis.isRefundUnderWay) throw refundUnderWay();
    if (code !== undefined && !basis.coupon) throw couponRefused();
    const { totalCents, creditCents } = totalOfBasis(basis);
    const expiresAt = holdsUntil(basis.credits, now);
    const values = { userId: user.id, planId: plan.id, basis, total: totalCents };
    const saved = await saveQuote(tx, { ...values, expiresAt, createdAt: now });
    const first = await findFirstPayment(tx, { userId: user.id, addressHash: confirmedHashOf(ctx, user) });
    const covered = first && (await coveredUntil(tx, { creditFrom: basis.credits, completedAt: now }, first));
    return {
      quoteId: saved.id,
      tier: plan.tier,
      priceId: plan.id,
      planName: plan.name,
      lines: linesOf({ ...basis, planName: plan.name, discount: discountIn(basis, plan.tier), creditCents }),
      total: dollarsOf(totalCents),
      totalCents,
      coupon: basis.coupon?.code ?? null,
      renewal: renews(plan.tier) ? dollarsOf(basis.listCents) : null,
      discountedRenewals: basis.coupon?.renewals ?? 0,
      replaces: await listReplacedPlans(tx, plan, user, now),
      refundDays: first ? null : basis.refundDays,
      refundableUntil: covered?.toISOString() ?? null,
      isRefundCertain: user.emailVerified,
      expiresAt: saved.expiresAt.toISOString(),
    };
  });
}

/** @throws Refusal account-blocked, already-owned. */
export async function requireMayBuy(tx: Db, plan: PlanRow, user: User, now: Date): Promise<void> {
  requireUnblocked(user);
  const lastBought = await lastCompletedAt(tx, user.id);
  // Another node's clock may be ahead: what was bought there must count as begun here too.
  const owned = await accessOf(tx, user.id, lastBought && lastBought > now ? lastBought : now);
  mayBuy(plan.tier, owned, lastBought, now, await currentPlanNames(tx));
}

/** Call in the transaction that opens the attempt. @throws Refusal quote-expired, quote-changed, amount-mismatch. */
export async function agreedTerms(
  ctx: PaymentContext,
  tx: Db,
  of: { readonly plan: PlanRow; readonly user: User; readonly now: Date },
  paid: { readonly amount: number; readonly quoteId?: string | undefined },
): Promise<Terms> {
  const { plan, user, now } = of;
  const { amount, quoteId = null } = paid;
  const basis =
    quoteId === null ? await basisOf(ctx, tx, { plan, user, at: now }) : await quotedBasis(ctx, tx, of, quoteId);
  if (basis.isRefundUnderWay) throw refundUnderWay();
  const terms = termsOf(plan, basis, quoteId);
  requireAmount(terms, amount);
  return terms;
}

/** Call last in the same transaction. @throws Refusal quote-changed when none is left. */
export async function reserveCoupon(
  ctx: PaymentContext,
  tx: Db,
  { plan, user, now }: { readonly plan: PlanRow; readonly user: User; readonly now: Date },
  { couponCode }: Terms,
): Promise<void> {
  if (couponCode === null) return;
  const addressHash = confirmedHashOf(ctx, user);
  if (addressHash !== null && (await reserveUse(tx, couponCode, { userId: user.id, addressHash }, now))) return;
  throw couponGone(await basisOf(ctx, tx, { plan, user, at: now }));
}

/** The quote's own basis, or today's when the quote ran out and its total is still the same. */
async function quotedBasis(
  ctx: PaymentContext,
  tx: Db,
  { plan, user, now }: { readonly plan: PlanRow; readonly user: User; readonly now: Date },
  quoteId: string,
): Promise<QuoteBasis> {
  const row = await findQuote(tx, quoteId, user.id);
  const code = row?.basis.coupon?.code;
  const paid = await listPaidPeriods(ctx, tx, user.id);
  const today = await basisOf(ctx, tx, { plan, user, at: now }, code, paid);
  const { totalCents } = totalOfBasis(today);
  // Another student's quote is treated as absent. The total is not named: the coupon of the quote is not known.
  if (!row) throw new Refusal("quote-expired", `Your total has expired. ${checkAgain}`, { totalCents });
  requirePlan(plan, row.planId);
  // Compares as of the quote's instant, so that the passing of time changes nothing.
  const then = await basisOf(ctx, tx, { plan, user, at: row.createdAt }, code, paid);
  const isOver = row.expiresAt <= now;
  if (row.basis.coupon && !(isOver ? today : then).coupon) throw couponGone(today);
  if (!isDeepStrictEqual(sourcesOf(then), sourcesOf(row.basis)) || (await isQuoteTaken(tx, row.id))) {
    const what = whatChanged(row.basis, then, plan.name);
    throw new Refusal("quote-changed", `${what} has changed. ${updatedTo(totalCents)}`, { totalCents });
  }
  if (isOver && totalCents !== row.total) throw new Refusal("quote-expired", updatedTo(totalCents), { totalCents });
  return isOver ? today : row.basis;
}

function whatChanged(shown: QuoteBasis, then: QuoteBasis, planName: string): string {
  if (then.listCents !== shown.listCents) return `The price of ${planName}`;
  if (!isDeepStrictEqual(then.coupon, shown.coupon)) return "Your coupon";
  const isOfferSame = then.refundDays === shown.refundDays && isDeepStrictEqual(then.coaching, shown.coaching);
  return isOfferSame ? "Your membership" : `The offer for ${planName}`;
}

function couponGone(without: QuoteBasis): Refusal {
  const { totalCents } = totalOfBasis(without);
  return new Refusal("quote-changed", `You can no longer use this coupon. ${updatedTo(totalCents)}`, { totalCents });
}

function totalOfBasis({ listCents, credits, coupon }: QuoteBasis): Total {
  return totalOf(listCents, credits, coupon?.cents);
}

function discountIn({ coupon }: QuoteBasis, tier: Tier): (Discount & { readonly renews: boolean }) | null {
  return coupon ? { ...coupon, renewals: coupon.renewals ?? 0, renews: renews(tier) } : null;
}

function termsOf(plan: PlanRow, basis: QuoteBasis, quoteId: string | null): Terms {
  const { totalCents, creditCents } = totalOfBasis(basis);
  const { listCents, coupon, refundDays, coaching } = basis;
  const discountedRenewals = coupon?.renewals ?? 0;
  return {
    totalCents,
    creditCents,
    refundDays,
    coaching,
    credits: basis.credits.map(({ openUntil: _openUntil, ...credit }) => credit),
    discountCents: coupon?.cents ?? 0,
    couponCode: coupon?.code ?? null,
    // The release before takes this price for each renewal: with a discount, it is never more than was agreed.
    renewalCents: coupon && renews(plan.tier) ? listCents - (discountedRenewals > 0 ? coupon.cents : 0) : null,
    discountedRenewals,
    laterCents: discountedRenewals > 0 ? listCents : null,
    quoteId,
  };
}

interface Order {
  readonly plan: PlanRow;
  readonly user: User;
  readonly at: Date;
}

async function basisOf(
  ctx: PaymentContext,
  tx: Db,
  order: Order,
  code?: string,
  paid?: readonly PaidPeriod[],
): Promise<QuoteBasis> {
  const { plan, user, at } = order;
  const credits = creditsFor(plan.tier, paid ?? (await listPaidPeriods(ctx, tx, user.id)), at);
  let isRefundUnderWay = false;
  for (const { purchaseId } of credits) isRefundUnderWay ||= await ctx.paymentHandlers.hasOpenRefund(tx, purchaseId);
  const discount = code === undefined ? null : await discountFor(ctx, tx, code, order);
  const coupon = discount && couponIn(discount, plan.tier);
  const { accountStatus } = user;
  return {
    ...{ version: basisVersion, listCents: plan.price, accountStatus, isRefundUnderWay },
    ...{ ...(coupon && { coupon }), credits },
    grants: await listGrantsOpen(tx, user.id, at),
    refundDays: (await currentSettings(tx)).refundDays,
    coaching: plan.coaching,
  };
}

/** The release before knows no `renewals`: it refuses a basis with them, and takes one without. */
function couponIn({ code, cents, renewals }: Discount, tier: Tier): NonNullable<QuoteBasis["coupon"]> {
  return { code, cents, ...(renewals > 0 && renews(tier) && { renewals }) };
}

/** Also those that begin later, so that one that is written after a quote is among its grants. */
async function listGrantsOpen(tx: Db, userId: string, at: Date): Promise<QuoteBasis["grants"]> {
  return (await listGrantsNotOver(tx, [userId], at))
    .map(({ id, endedAt }) => ({ id, endedAt: endedAt?.toISOString() ?? null }))
    .toSorted((a, b) => a.id.localeCompare(b.id));
}

async function discountFor(
  ctx: PaymentContext,
  tx: Db,
  code: string,
  { plan, user, at }: Order,
): Promise<Discount | null> {
  const addressHash = confirmedHashOf(ctx, user);
  if (addressHash === null) return null;
  const isLater = await hasPaidBefore(tx, user.id, addressHash);
  const student = { userId: user.id, addressHash, hasPaidBefore: isLater };
  return findDiscount(tx, code, { ...student, tier: plan.tier, listCents: plan.price, at });
}

async function hasPaidBefore(tx: Db, userId: string, addressHash: string | null): Promise<boolean> {
  return (await findFirstPayment(tx, { userId, addressHash })) !== null;
}

function refundUnderWay(): Refusal {
  return new Refusal("conflict", "We're still processing your refund. Please try again once it's done.");
}

/** Names of the replaced plans, also those without credit. */
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
  const uncertain = await whatStops(db, "upgrade credit of the charge", userId);
  const unfounded = await whatStops(db, "passing on the purchase's credit", userId);
  const charges = (await listChargesOfStudent(db, userId)).filter(
    ({ id }) => !uncertain.some(({ attemptId }) => attemptId === id),
  );
  const returned = await ctx.paymentHandlers.sumReturnedOf(
    db,
    charges.map(({ id }) => id),
  );
  const paid = (await listPurchasesOfUser(db, userId))
    .filter(givesCredit)
    .map((one) => (unfounded.some(({ purchaseId }) => purchaseId === one.id) ? { ...one, credit: 0 } : one));
  return paidPeriodsOf(continued, charges, paid, returned);
}

/** Purchases have their own copy. A page may renew its quote for as long as a sign-in lasts without a visit. */
export const quoteRetention: RetentionRule = { table: quotes, from: quotes.expiresAt, keptFor: 7 * DAY };
