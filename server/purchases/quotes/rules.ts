import { z } from "zod";
import { CoachingPromise } from "#contract/coaching/promise.ts";
import { centsOf, formatCents, minChargeCents } from "#contract/money.ts";
import type { QuoteLine } from "#contract/purchases/quotes.ts";
import { renews, Tier, tierRank } from "#contract/tiers.ts";
import type { Continued } from "#server/access/access.ts";
import { after, DAY } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Discount } from "#server/coupons/coupons.ts";

export interface PaidPeriod {
  readonly chargeId: string;
  readonly purchaseId: string;
  readonly tier: Tier;
  readonly planName: string;
  /** Cents charged, plus the credit applied, minus what was returned. */
  readonly valueCents: number;
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** The period itself, or the days that a refunded upgrade gave back. */
  readonly openFrom: Date;
  readonly openUntil: Date;
}

const Credit = z.strictObject({
  chargeId: z.string(),
  purchaseId: z.string(),
  tier: Tier,
  planName: z.string(),
  unusedDays: z.int(),
  periodDays: z.int(),
  valueCents: z.int(),
  cents: z.int(),
});
export type Credit = z.infer<typeof Credit>;

/** Raise it when a field of the basis gets another meaning. A new or a missing field is noticed without it. */
export const basisVersion = 1;

/** Everything that a quote depends on. The quote is valid while this is the same. */
export const QuoteBasis = z.strictObject({
  version: z.literal(basisVersion),
  listCents: z.int(),
  accountStatus: z.string(),
  isRefundUnderWay: z.boolean(),
  coupon: z
    .strictObject({
      code: z.string(),
      cents: z.int(),
      renewals: z.int().optional().describe("Absent where it discounts the first payment only"),
    })
    .optional()
    .describe("Absent without a coupon"),
  credits: z.array(Credit.extend({ openUntil: z.iso.datetime() })),
  grants: z
    .array(z.strictObject({ id: z.string(), endedAt: z.iso.datetime().nullable() }))
    .describe("Access given or ended since: what the payment adds is no longer what was shown, at the same total"),
  refundDays: z.int(),
  coaching: CoachingPromise,
});
export type QuoteBasis = z.infer<typeof QuoteBasis>;

/** The basis without what is calculated, so that a new way to calculate leaves open quotes valid. */
export function sourcesOf({ credits, ...others }: QuoteBasis) {
  const sources = credits.map(({ chargeId, valueCents, openUntil }) => ({ chargeId, valueCents, openUntil }));
  return { ...others, credits: sources };
}

/** Cents. */
export interface Total {
  readonly totalCents: number;
  readonly creditCents: number;
  /** Credit that is lost to the minimum charge. */
  readonly notPaidOutCents: number;
}

/** @param purchases those that give credit */
export function paidPeriodsOf(
  continued: readonly Continued[],
  charges: readonly {
    readonly id: string;
    readonly kind: "initial" | "renewal";
    readonly purchaseId: string;
    readonly amount: number;
  }[],
  purchases: readonly {
    readonly id: string;
    readonly tier: Tier;
    readonly planName: string;
    readonly credit: number;
  }[],
  returnedCents: ReadonlyMap<string, number>,
): PaidPeriod[] {
  return continued.flatMap(({ first, last }) => {
    const charge = charges.find(({ id, kind, purchaseId }) =>
      first.source === "renewal" ? id === first.sourceId : kind === "initial" && purchaseId === first.sourceId,
    );
    const purchase = charge && purchases.find(({ id }) => id === charge.purchaseId);
    if (!charge || !purchase || first.endsAt === null || last.endsAt === null) return [];
    const creditCents = charge.kind === "initial" ? purchase.credit : 0;
    return {
      chargeId: charge.id,
      purchaseId: purchase.id,
      tier: purchase.tier,
      planName: purchase.planName,
      valueCents: charge.amount + creditCents - (returnedCents.get(charge.id) ?? 0),
      startsAt: first.startsAt,
      endsAt: first.endsAt,
      openFrom: last.startsAt,
      openUntil: last.endsAt,
    };
  });
}

type Period = Omit<PaidPeriod, "chargeId" | "purchaseId" | "tier" | "planName">;

/** The value of the unused days in cents, rounded down. @internal */
export function creditOf(period: Period, at: Date): number {
  if (period.valueCents <= 0) return 0;
  return Math.floor((period.valueCents * unusedDaysOf(period, at)) / daysOf(period));
}

/** Rounded up to whole days, so that a total changes once in 24 hours and can be checked by hand. */
function unusedDaysOf(period: Period, at: Date): number {
  const left = period.openUntil.getTime() - Math.max(at.getTime(), period.openFrom.getTime());
  return Math.min(daysOf(period), Math.max(0, Math.ceil(left / DAY)));
}

function daysOf({ startsAt, endsAt }: Period): number {
  return Math.round((endsAt.getTime() - startsAt.getTime()) / DAY);
}

/** Credits for unexpired periods of lower tiers, the earliest first. */
export function creditsFor(
  wanted: Tier,
  periods: readonly PaidPeriod[],
  at: Date,
): (Credit & { readonly openUntil: string })[] {
  return periods
    .filter(({ tier, openUntil, valueCents }) => tierRank(tier) < tierRank(wanted) && openUntil > at && valueCents > 0)
    .toSorted((a, b) => a.openFrom.getTime() - b.openFrom.getTime() || a.chargeId.localeCompare(b.chargeId))
    .map((period) => ({
      chargeId: period.chargeId,
      purchaseId: period.purchaseId,
      tier: period.tier,
      planName: period.planName,
      unusedDays: unusedDaysOf(period, at),
      periodDays: daysOf(period),
      valueCents: period.valueCents,
      cents: creditOf(period, at),
      openUntil: period.openUntil.toISOString(),
    }));
}

/** When the next of the credited days ends, 24 hours from now at most. Until then, time alone changes no total. */
export function holdsUntil(
  credits: readonly (Pick<Credit, "unusedDays"> & { readonly openUntil: string })[],
  at: Date,
): Date {
  const ends = credits.map(({ openUntil, unusedDays }) => Date.parse(openUntil) - (unusedDays - 1) * DAY);
  return new Date(Math.min(after(at, DAY).getTime(), ...ends));
}

/** Subtracts the discount before the credit. */
export function totalOf(listCents: number, credits: readonly Pick<Credit, "cents">[], discountCents = 0): Total {
  const offered = credits.reduce((sum, { cents }) => sum + cents, 0);
  const price = listCents - discountCents;
  const totalCents = Math.max(Math.min(minChargeCents, price), price - offered);
  const creditCents = price - totalCents;
  return { totalCents, creditCents, notPaidOutCents: offered - creditCents };
}

type DiscountOfPlan = Discount & { readonly renews: boolean };

/** The lines add up to the charge. */
export function linesOf(of: {
  readonly planName: string;
  readonly listCents: number;
  readonly discount: DiscountOfPlan | null;
  readonly credits: readonly Credit[];
  readonly creditCents: number;
}): QuoteLine[] {
  const { planName, listCents, discount, credits, creditCents } = of;
  const notPaidOut = credits.reduce((sum, { cents }) => sum + cents, 0) - creditCents;
  return [
    { kind: "plan", label: planName, cents: listCents },
    ...(discount ? [{ kind: "discount" as const, label: discountWords(discount), cents: -discount.cents }] : []),
    ...credits
      .filter(({ cents }) => cents > 0)
      .map((credit) => ({ kind: "credit" as const, label: creditWords(credit), cents: -credit.cents })),
    ...(notPaidOut > 0 ? [{ kind: "not-paid-out" as const, label: notPaidOutWords, cents: notPaidOut }] : []),
  ];
}

interface PurchaseTerms {
  readonly tier: Tier;
  readonly amount: number;
  readonly credit: number;
  readonly creditFrom: readonly Credit[];
  readonly discount: number;
  readonly couponCode: string | null;
  readonly discountedRenewals: number;
  readonly laterAmount: number | null;
}

/** Of the first charge. Empty when the plan's price was charged. */
export function linesOfPurchase(purchase: PurchaseTerms, planName: string): QuoteLine[] {
  const { amount, credit: creditCents, creditFrom: credits, discount: cents } = purchase;
  const discount = discountOfPurchase(purchase, cents);
  const takenOff = creditCents + cents;
  return takenOff === 0 ? [] : linesOf({ planName, listCents: amount + takenOff, discount, credits, creditCents });
}

/** Empty when the agreed price without a discount was charged. */
export function linesOfRenewal(purchase: PurchaseTerms, amount: number, planName: string): QuoteLine[] {
  const listCents = purchase.laterAmount ?? amount;
  const discount = discountOfPurchase(purchase, listCents - amount);
  if (amount >= listCents) return [];
  return linesOf({ planName, listCents, discount, credits: [], creditCents: 0 });
}

function discountOfPurchase(
  { tier, couponCode: code, discountedRenewals }: PurchaseTerms,
  cents: number,
): DiscountOfPlan | null {
  return code === null ? null : { code, cents, renews: renews(tier), renewals: discountedRenewals };
}

function discountWords({ code, renews, renewals }: DiscountOfPlan): string {
  if (!renews) return `Coupon ${code}`;
  return renewals > 0
    ? `Coupon ${code}, for the first ${renewals + 1} payments`
    : `Coupon ${code}, for the first 30 days`;
}

const notPaidOutWords = `Not paid out: the smallest charge is ${formatCents(minChargeCents)}`;

function creditWords({ planName, unusedDays, periodDays, valueCents }: Credit): string {
  const sum = `${unusedDays}/${periodDays} × ${formatCents(valueCents)}`;
  return `Your unused ${unusedDays} of ${periodDays} days of ${planName} (${sum})`;
}

/** @throws Refusal amount-mismatch with the total. */
export function requireAmount({ totalCents }: Pick<Total, "totalCents">, amount: number): void {
  if (centsOf(amount) === totalCents) return;
  throw new Refusal("amount-mismatch", updatedTo(totalCents), { totalCents });
}

export const checkAgain = "You haven't been charged. Please check it and pay again.";

export function updatedTo(totalCents: number): string {
  return `Your total was updated to ${formatCents(totalCents)}. ${checkAgain}`;
}
