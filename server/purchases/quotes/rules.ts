import { centsOf, formatCents, minChargeCents } from "#contract/money.ts";
import type { QuoteLine } from "#contract/purchases/quotes.ts";
import { type Tier, tierRank } from "#contract/tiers.ts";
import type { Continued } from "#server/access/access.ts";
import { DAY } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Discount } from "#server/coupons/coupons.ts";
import { renews } from "../periods.ts";

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

export interface Credit {
  readonly chargeId: string;
  readonly purchaseId: string;
  readonly tier: Tier;
  readonly planName: string;
  readonly unusedDays: number;
  readonly periodDays: number;
  readonly valueCents: number;
  readonly cents: number;
}

/** Everything that a quote's total depends on. The quote is valid while this is the same. */
export interface QuoteBasis {
  readonly listCents: number;
  readonly accountStatus: string;
  readonly isRefundUnderWay: boolean;
  /** Absent without a coupon. */
  readonly coupon?: Discount;
  readonly credits: readonly (Credit & { readonly openUntil: string })[];
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

/** Unused cents, rounded down. BigInt, because cents × milliseconds may exceed safe integers. @internal */
export function creditOf(period: Omit<PaidPeriod, "chargeId" | "purchaseId" | "tier" | "planName">, at: Date): number {
  const length = BigInt(period.endsAt.getTime() - period.startsAt.getTime());
  if (length <= 0n || period.valueCents <= 0) return 0;
  return Number((BigInt(period.valueCents) * BigInt(unusedTime(period, at))) / length);
}

function unusedTime({ openFrom, openUntil }: Pick<PaidPeriod, "openFrom" | "openUntil">, at: Date): number {
  return Math.max(0, openUntil.getTime() - Math.max(at.getTime(), openFrom.getTime()));
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
      unusedDays: Math.round(unusedTime(period, at) / DAY),
      periodDays: Math.round((period.endsAt.getTime() - period.startsAt.getTime()) / DAY),
      valueCents: period.valueCents,
      cents: creditOf(period, at),
      openUntil: period.openUntil.toISOString(),
    }));
}

/** Subtracts the discount before the credit. */
export function totalOf(listCents: number, credits: readonly Pick<Credit, "cents">[], discountCents = 0): Total {
  const offered = credits.reduce((sum, { cents }) => sum + cents, 0);
  const price = listCents - discountCents;
  const totalCents = Math.max(Math.min(minChargeCents, price), price - offered);
  const creditCents = price - totalCents;
  return { totalCents, creditCents, notPaidOutCents: offered - creditCents };
}

/** The lines add up to the charge. */
export function linesOf(of: {
  readonly planName: string;
  readonly listCents: number;
  readonly discount: (Discount & { readonly renews: boolean }) | null;
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

/** Empty when the plan's price was charged. */
export function linesOfPurchase(
  purchase: {
    readonly tier: Tier;
    readonly amount: number;
    readonly credit: number;
    readonly creditFrom: readonly Credit[];
    readonly discount: number;
    readonly couponCode: string | null;
  },
  planName: string,
): QuoteLine[] {
  const { tier, amount, credit: creditCents, creditFrom: credits, discount: cents, couponCode: code } = purchase;
  const discount = code === null ? null : { code, cents, renews: renews(tier) };
  const takenOff = creditCents + cents;
  return takenOff === 0 ? [] : linesOf({ planName, listCents: amount + takenOff, discount, credits, creditCents });
}

function discountWords({ code, renews }: Discount & { readonly renews: boolean }): string {
  return renews ? `Coupon ${code}, for the first 30 days` : `Coupon ${code}`;
}

const notPaidOutWords = `Not paid out: the smallest charge is ${formatCents(minChargeCents)}`;

function creditWords({ planName, unusedDays, periodDays }: Credit): string {
  return `Your unused ${unusedDays} of ${periodDays} days of ${planName}`;
}

/** @throws Refusal amount-mismatch with the total. */
export function requireAmount(
  planName: string,
  terms: Pick<Total, "totalCents" | "creditCents"> & { readonly discountCents: number },
  amount: number,
): void {
  const { totalCents, creditCents, discountCents } = terms;
  if (centsOf(amount) === totalCents) return;
  const off = [
    discountCents > 0 ? `the coupon takes ${formatCents(discountCents)} off` : null,
    creditCents > 0 ? `${formatCents(creditCents)} of what you paid before is credited` : null,
  ].filter((part) => part !== null);
  const message =
    off.length > 0
      ? `Today ${planName} costs you ${formatCents(totalCents)}: ${off.join(", and ")}. Nothing was charged.`
      : `The price of ${planName} is different. Please reload the page and try again.`;
  throw new Refusal("amount-mismatch", message, { totalCents });
}
