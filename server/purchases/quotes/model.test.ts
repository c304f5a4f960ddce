import fc from "fast-check";
import { expect, test } from "vitest";
import { type Tier, tierRank } from "#contract/tiers.ts";
import { endOf, type Grant, type GrantEnd, listContinued, listReplaced } from "#server/access/rules.ts";
import { after, DAY } from "#server/base/clock.ts";
import { type CouponWorth, discountOf } from "#server/coupons/rules.ts";
import { periodEnd } from "../periods.ts";
import { creditsFor, paidPeriodsOf, totalOf } from "./rules.ts";

/** Few, for every run. `model.long.test.ts` runs 100,000. */
const lives = Number(process.env.UPGRADE_LIVES ?? 1000);

const list: Readonly<Record<Tier, number>> = { basic: 4900, premium: 39_700, vip: 149_700 };
const begin = new Date("2026-01-01T00:00:00Z");

/** A student's ledger, by the server's rules. */
class Ledger {
  readonly grants: Grant[] = [];
  readonly ends: GrantEnd[] = [];
  readonly charges: { id: string; kind: "initial" | "renewal"; purchaseId: string; amount: number }[] = [];
  readonly purchases: { id: string; tier: Tier; planName: string; credit: number; isPaid: boolean }[] = [];
  readonly returned = new Map<string, number>();

  get current(): Grant[] {
    return this.grants.map((grant) => ({
      ...grant,
      endedAt: this.ends.find(({ grantId }) => grantId === grant.id)?.endsAt ?? null,
    }));
  }

  credits(tier: Tier, now: Date) {
    const paid = this.purchases.filter(({ isPaid }) => isPaid);
    return creditsFor(
      tier,
      paidPeriodsOf(listContinued(this.current, this.ends), this.charges, paid, this.returned),
      now,
    );
  }

  buy(id: string, tier: Tier, coupon: CouponWorth | null, now: Date): number {
    const discount = coupon ? discountOf(coupon, list[tier]) : 0;
    const { totalCents, creditCents } = totalOf(list[tier], this.credits(tier, now), discount);
    const startsAt = this.nextStart(tier, now);
    for (const grant of this.current) if (tierRank(grant.tier) < tierRank(tier)) this.end(grant, now, id);
    this.purchases.push({ id, tier, planName: tier, credit: creditCents, isPaid: true });
    this.charges.push({ id: `charge of ${id}`, kind: "initial", purchaseId: id, amount: totalCents });
    this.grant({ source: "purchase", sourceId: id, purchaseId: id, tier, startsAt, endsAt: periodEnd(tier, startsAt) });
    return totalCents;
  }

  renew(id: string, purchaseId: string, startsAt: Date): void {
    this.charges.push({ id, kind: "renewal", purchaseId, amount: list.basic });
    const endsAt = periodEnd("basic", startsAt);
    this.grant({ source: "renewal", sourceId: id, purchaseId, tier: "basic", startsAt, endsAt });
  }

  refundPart(purchaseId: string, cents: number): void {
    const charge = this.charges.findLast((one) => one.purchaseId === purchaseId);
    if (charge) this.returned.set(charge.id, (this.returned.get(charge.id) ?? 0) + cents);
  }

  refund(purchaseId: string, now: Date): void {
    const charge = this.charges.findLast((one) => one.purchaseId === purchaseId);
    if (charge) this.returned.set(charge.id, charge.amount);
    const purchase = this.purchases.find(({ id }) => id === purchaseId);
    if (purchase) purchase.isPaid = false;
    for (const grant of this.current) if (grant.purchaseId === purchaseId) this.end(grant, now, null);
    for (const { last, end } of listReplaced(this.current, this.ends, purchaseId)) {
      if (last.endsAt === null) continue;
      const remaining = last.endsAt.getTime() - Math.max(end.endsAt.getTime(), last.startsAt.getTime());
      if (remaining <= 0) continue;
      const startsAt = this.nextStart(last.tier, now);
      const { tier, purchaseId } = last;
      const source = "credit-returned";
      this.grant({ source, sourceId: end.id, purchaseId, tier, startsAt, endsAt: after(startsAt, remaining) });
    }
  }

  private nextStart(tier: Tier, now: Date): Date {
    const open = this.current.filter((grant) => grant.tier === tier && (endOf(grant) ?? now) > now);
    return new Date(Math.max(now.getTime(), ...open.map((grant) => endOf(grant)?.getTime() ?? 0)));
  }

  private grant(grant: Omit<Grant, "id" | "reason" | "endedAt">): void {
    this.grants.push({ ...grant, id: `grant ${this.grants.length}`, reason: null, endedAt: null });
  }

  private end(grant: Grant, endsAt: Date, replacedBy: string | null): void {
    const end = endOf(grant);
    if (end !== null && end <= endsAt) return;
    this.ends.push({ id: `end ${this.ends.length}`, grantId: grant.id, endsAt, replacedBy });
  }
}

/** An independent model without grants: milliseconds since the start, cents, and integers below 2^53. */
interface Paid {
  readonly purchase: string;
  readonly tier: Tier;
  readonly length: number;
  readonly paid: number;
  readonly credit: number;
  back: number;
  /** Refunded in full, with its days. */
  isOver: boolean;
  start: number;
  end: number;
  /** The purchase that replaced it, and the time that was left. */
  gone: { by: string; left: number } | null;
}

/** floor(value × part / whole) by doubling, so that no product exceeds safe integers. */
function share(value: number, part: number, whole: number): number {
  let quotient = 0;
  let rest = 0;
  for (let bit = 2 ** Math.floor(Math.log2(Math.max(1, value))); bit >= 1; bit /= 2) {
    quotient *= 2;
    rest *= 2;
    if (Math.floor(value / bit) % 2 === 1) rest += part;
    quotient += Math.floor(rest / whole);
    rest %= whole;
  }
  return quotient;
}

/** A coupon's discount in cents. One dollar always remains. */
function paperDiscount(coupon: CouponWorth | null, price: number): number {
  if (coupon === null) return 0;
  const offered = coupon.percent === null ? (coupon.off ?? 0) : share(price, coupon.percent, 100);
  return offered > price - 100 ? price - 100 : offered;
}

function paperQuote(payments: readonly Paid[], tier: Tier, coupon: CouponWorth | null, at: number): number {
  let credit = 0;
  for (const one of payments) {
    const value = one.paid + one.credit - one.back;
    if (tierRank(one.tier) >= tierRank(tier) || one.gone || one.end <= at || value <= 0) continue;
    let days = 0;
    for (let begun = Math.max(at, one.start); begun < one.end; begun += DAY) days++;
    credit += share(value, days, one.length / DAY);
  }
  return Math.max(100, list[tier] - paperDiscount(coupon, list[tier]) - credit);
}

const step = fc.record({
  wait: fc.oneof(fc.integer({ min: 1, max: 25 * DAY }), fc.integer({ min: 1, max: 200 * DAY })),
  kind: fc.constantFrom("buy", "buy", "renew", "refund", "refund part"),
  coupon: fc.oneof(
    fc.constant(null),
    fc.record({
      kind: fc.constant("percent" as const),
      percent: fc.integer({ min: 1, max: 90 }),
      off: fc.constant(null),
    }),
    fc.record({
      kind: fc.constant("fixed" as const),
      percent: fc.constant(null),
      off: fc.integer({ min: 1, max: 200_000 }),
    }),
  ),
  part: fc.integer({ min: 1, max: 99 }),
  tier: fc.constantFrom("basic", "premium", "premium", "vip") as fc.Arbitrary<Tier>,
});

let upgrades = 0;
let discounted = 0;
let parts = 0;

test(`${lives} lives of buying, with coupons too, renewing, stacking, upgrading and refunding, in part too, cost what they cost on paper [P42]`, () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 14 }), (steps) => {
      const ledger = new Ledger();
      const paper: Paid[] = [];
      let at = 0;
      let charged = 0;
      let returned = 0;
      for (const [position, { wait, kind, tier, coupon, part }] of steps.entries()) {
        at += wait;
        const now = after(begin, at);
        const live = paper.filter((one) => !one.gone && !one.isOver && one.end > at);
        const owned = Math.max(0, ...live.filter((one) => one.start <= at).map((one) => tierRank(one.tier)));
        if (kind === "buy" && (tierRank(tier) > owned || (tier === "premium" && owned === tierRank("premium")))) {
          const id = `purchase ${position}`;
          const expected = paperQuote(paper, tier, coupon, at);
          const total = ledger.buy(id, tier, coupon, now);
          expect(total).toBe(expected);
          const discount = paperDiscount(coupon, list[tier]);
          if (total < list[tier] - discount) upgrades++;
          if (discount > 0) discounted++;
          expect(total).toBeLessThanOrEqual(list[tier]);
          charged += total;
          const start = Math.max(at, ...live.filter((one) => one.tier === tier).map(({ end }) => end));
          for (const one of live) {
            if (tierRank(one.tier) < tierRank(tier)) one.gone = { by: id, left: one.end - Math.max(at, one.start) };
          }
          const length = { basic: 30 * DAY, premium: 365 * DAY, vip: Number.MAX_SAFE_INTEGER - start }[tier];
          const period = { length, start, end: start + length };
          const credit = list[tier] - discount - total;
          paper.push({ purchase: id, tier, paid: total, credit, back: 0, isOver: false, ...period, gone: null });
        }
        const monthly = live.findLast((one) => one.tier === "basic");
        if (kind === "renew" && monthly && live.length === 1) {
          const start = monthly.end;
          ledger.renew(`renewal ${position}`, monthly.purchase, after(begin, start));
          charged += list.basic;
          const period = { length: 30 * DAY, start, end: start + 30 * DAY };
          const { purchase, tier } = monthly;
          paper.push({ purchase, tier, paid: list.basic, credit: 0, back: 0, isOver: false, ...period, gone: null });
        }
        const newest = live.at(-1);
        if (kind === "refund part" && newest) {
          const cents = Math.floor(((newest.paid - newest.back) * part) / 100);
          ledger.refundPart(newest.purchase, cents);
          newest.back += cents;
          returned += cents;
          if (cents > 0) parts++;
        }
        if (kind === "refund" && newest && paper.filter(({ purchase }) => purchase === newest.purchase).length === 1) {
          ledger.refund(newest.purchase, now);
          returned += newest.paid - newest.back;
          newest.back = newest.paid;
          newest.isOver = true;
          newest.end = Math.min(newest.end, at);
          for (const one of paper
            .filter(({ gone }) => gone?.by === newest.purchase)
            .toSorted((a, b) => a.start - b.start)) {
            const left = one.gone?.left ?? 0;
            const open = paper.filter(
              (other) => other !== one && other.tier === one.tier && !other.gone && !other.isOver,
            );
            one.start = Math.max(at, ...open.map(({ end }) => end));
            one.end = one.start + left;
            one.gone = null;
          }
        }
      }
      const back = [...ledger.returned.values()].reduce((sum, cents) => sum + cents, 0);
      expect([ledger.charges.reduce((sum, { amount }) => sum + amount, 0), back]).toEqual([charged, returned]);
      // No charge is credited with more than its value.
      for (const { credit } of paper) expect(credit).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: lives },
  );
  for (const count of [upgrades, discounted, parts]) expect(count).toBeGreaterThan(lives / 10);
});
