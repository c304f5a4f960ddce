import { communityClaim, mostPopular } from "#content/claims.ts";
import { builtInCopy } from "#content/copy/copy.ts";
import type { AcademyCopy } from "#contract/copy.ts";
import { formatMoney } from "#contract/money.ts";
import type { Offer } from "#contract/offer.ts";
import { claimsIn } from "#contract/stated-claims.ts";
import { DAY } from "#server/base/clock.ts";
import { formatDay, formatTime } from "#server/base/dates.ts";
import type { PlanRow } from "#server/catalogue/catalogue.ts";
import { claimIds } from "#server/catalogue/claims.ts";
import { endOf, isOn, type PricePeriod, priceAt, struckOutPrice } from "#server/catalogue/prices.ts";

/** A struck-out price is true when the plan was sold at it on `sold` of the last `of` days. */
export const wasPriceDays = { sold: 28, of: 90 } as const;

/** Figures of our own data about what pages claim. */
export interface Figures {
  /** Students who have completed a purchase. */
  readonly students: number;
  /** Purchases completed since the given instant, by plan. */
  readonly sales: ReadonlyMap<string, number>;
  readonly firstLiveSession: Date | null;
  readonly firstOneOnOne: Date | null;
}

export interface Judged {
  readonly id: string;
  readonly text: string;
  readonly where: string;
  readonly isTrue: boolean;
  /** What our data show about the claim. */
  readonly finding: string;
  /** Whether administrators may mark it as not about people, prices or results. */
  readonly canBeExempt: boolean;
}

export interface Known {
  /** The copy of the pages. */
  readonly copy: AcademyCopy;
  readonly plans: readonly PlanRow[];
  readonly offer: Offer;
  readonly prices: readonly PricePeriod[];
  readonly figures: Figures;
  /** Whether a record proves a claim in this wording. */
  readonly hasProof: (claim: { readonly id: string; readonly text: string }) => boolean;
  /** The academy's. */
  readonly timeZone: string;
  readonly now: Date;
}

/** Judges every claim of the pages, withdrawn ones included, in the order of the pages. */
export function judgeClaims(known: Known): Judged[] {
  const { testimonials, pricing } = known.copy;
  const needsProof = new Set([
    ...["rating", "instructor"],
    ...testimonials.testimonials.map(({ id }) => id),
    // Notes below the prices.
    ...pricing.notes.flatMap(({ claim }) => claim?.id ?? []),
  ]);
  return [
    ...claimsIn(known.copy).map((claim) => {
      const judgement = judgeStated(claim.id, known);
      return {
        ...claim,
        ...judgement,
        canBeExempt: judgement === notKept && !needsProof.has(claim.id) && !amount.test(claim.text),
      };
    }),
    { ...communityClaim, ...notKept, canBeExempt: false },
    ...saleClaims(known).map((claim) => ({ ...claim, canBeExempt: false })),
  ];
}

/** "$29.95" or "30%", which only prices and results have. */
const amount = /\$\s?\d|\d\s?%/;

type Finding = Pick<Judged, "isTrue" | "finding">;
type SaleClaim = Omit<Judged, "canBeExempt">;

const notKept: Finding = { isTrue: false, finding: "We have no data that proves or disproves this." };

/** Our data can judge built-in claims; they know nothing of what an owner's own claims mean. */
function judgeStated(id: string, { copy, figures, timeZone }: Known): Finding {
  const counted = copy.hero.trust.find((item) => item.id === "students");
  const label = builtInCopy.hero.trust.find((item) => item.id === "students")?.label;
  if (id === "students" && counted?.label === label) {
    const claimed = Number.parseInt(counted?.value.replaceAll(/[,.\s]/g, "") ?? "", 10);
    const finding = `${figures.students === 1 ? "1 person has" : `${figures.students} people have`} completed a purchase.`;
    return { isTrue: figures.students >= claimed, finding };
  }
  const material = copy.materials.materials.find(({ availability }) => availability?.id === id);
  const since = material?.availability?.since;
  const isOurs = builtInCopy.materials.materials.some(({ detail }) => detail === material?.detail);
  if (since === undefined || !isOurs) return notKept;
  const first = id === "live-coaching-since" ? figures.firstLiveSession : figures.firstOneOnOne;
  const finding = first ? `The first session was on ${formatDay(first, timeZone)}.` : "No session has taken place yet.";
  return { isTrue: first !== null && first.toISOString().slice(0, 7) <= since, finding };
}

function saleClaims(known: Known): SaleClaim[] {
  const { plans, offer, now, hasProof, figures } = known;
  const popular = plans.filter((plan) => plan.popular).map((plan) => judgePopular(plan, figures));
  if (!isOn(offer, now)) return popular;
  const wasPrices = plans.map((plan) => judgeWasPrice(plan, known));
  const holds = (claim: SaleClaim) => claim.isTrue || hasProof(claim);
  const savings = new Map(
    plans.map((plan, at) => {
      const wasPrice = wasPrices[at];
      return [plan.id, wasPrice && holds(wasPrice) ? saving(plan.price, struckOutPrice(plan, offer)) : 0];
    }),
  );
  return [
    judgeDiscount(offer, Math.min(...savings.values())),
    judgeCountdown(known),
    ...wasPrices,
    ...plans.flatMap((plan) => judgeBadge(plan, known, savings.get(plan.id) ?? 0)),
    ...popular,
  ];
}

/** By how many percent `now` is less than `before`. */
function saving(now: number, before: number): number {
  return before > now ? (100 * (before - now)) / before : 0;
}

/** The highest percentage in a text; null without one. */
function percentIn(text: string): number | null {
  const all = [...text.matchAll(/(\d+(?:[.,]\d+)?)\s*(?:%|percent)/gi)].map(([, digits = ""]) =>
    Number(digits.replace(",", ".")),
  );
  return all.length > 0 ? Math.max(...all) : null;
}

const prices = "Landing page, prices";

function judgeDiscount(offer: Offer, least: number): SaleClaim {
  const text = `${offer.headline} (${offer.discountClaim})`;
  const claimed = percentIn(text) ?? 0;
  const finding =
    least > 0
      ? `Compared with the crossed-out prices, every plan saves at least ${shown(least)}.`
      : "Some crossed-out prices aren’t proven, so the saving isn’t either.";
  return { id: claimIds.discount, text, where: prices, isTrue: least > 0 && claimed <= least, finding };
}

function judgeCountdown({ plans, offer, timeZone }: Known): SaleClaim {
  const { countdown } = offer;
  const ends = endOf(offer);
  const rises = plans.every((plan) => struckOutPrice(plan, offer) > plan.price);
  const finding =
    countdown.kind === "daily"
      ? "The countdown restarts every day, and nothing changes when it reaches zero."
      : rises
        ? `The offer ends on ${formatTime(new Date(ends), timeZone)}. From then on, plans cost the crossed-out prices.`
        : "The offer ends, but some plans won’t cost more afterwards.";
  const clock = countdown.kind === "daily" ? "a countdown that starts daily" : "a countdown";
  const isTrue = countdown.kind === "until" && rises;
  return { id: claimIds.countdown, text: `${offer.countdownLabel}: ${clock}`, where: prices, isTrue, finding };
}

function judgeWasPrice(plan: PlanRow, { offer, prices: periods, now }: Known): SaleClaim {
  const before = struckOutPrice(plan, offer);
  const from = now.getTime() - wasPriceDays.of * DAY;
  const sold = periods
    .filter(({ planId, price }) => planId === plan.id && price === before)
    .reduce((sum, { startsAt, endsAt }) => {
      const end = Math.min(endsAt?.getTime() ?? Number.POSITIVE_INFINITY, now.getTime());
      return sum + Math.max(0, end - Math.max(startsAt.getTime(), from));
    }, 0);
  const finding = `Sold at ${formatMoney(before)} on ${Math.floor(sold / DAY)} of the last ${wasPriceDays.of} days. At least ${wasPriceDays.sold} are needed.`;
  const text = `${plan.name}: ${formatMoney(before)} crossed out beside ${formatMoney(priceAt(plan, offer, now))}`;
  return { id: claimIds.wasPrice(plan), text, where: prices, isTrue: sold >= wasPriceDays.sold * DAY, finding };
}

function judgeBadge(plan: PlanRow, { offer, plans }: Known, savedOnWasPrice: number): SaleClaim[] {
  const badge = offer.badges[plan.tier];
  if (!badge) return [];
  const monthly = plans.find(({ billing }) => billing === "monthly");
  const savedOnMonths = plan.billing === "annual" && monthly ? saving(plan.price, 12 * monthly.price) : 0;
  const most = Math.max(savedOnMonths, savedOnWasPrice);
  const claimed = percentIn(badge);
  const against = savedOnMonths >= savedOnWasPrice ? "twelve months of the monthly plan" : "its crossed-out price";
  const finding =
    claimed === null
      ? "We have no data that proves or disproves this."
      : most > 0
        ? `This plan saves ${shown(most)} compared with ${against}.`
        : "There is no proven price that this plan is cheaper than.";
  const isTrue = claimed !== null && claimed <= most;
  return [{ id: claimIds.badge(plan), text: `${badge}, on ${plan.name}`, where: prices, isTrue, finding }];
}

function judgePopular(plan: PlanRow, { sales }: Figures): SaleClaim {
  const sold = sales.get(plan.id) ?? 0;
  const most = Math.max(0, ...sales.values());
  return {
    id: claimIds.mostPopular(plan),
    text: `${mostPopular}, on ${plan.name}`,
    where: prices,
    isTrue: sold > 0 && sold === most,
    finding: `Bought ${timesOf(sold)} in the last ${wasPriceDays.of} days. The best-selling plan was bought ${timesOf(most)}.`,
  };
}

function timesOf(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

/** Rounded down: 32.48 → "32.4%". */
function shown(percent: number): string {
  return `${Math.floor(percent * 10) / 10}%`;
}
