import type { Tier } from "#contract/tiers.ts";
import { after, DAY, HOUR, MINUTE, SECOND } from "#server/base/clock.ts";
import type { CouponRow } from "#server/coupons/tables.ts";
import { buyPlan, type PlanOnSale } from "./buying.ts";
import { couponInHand } from "./coupons.ts";
import { refundPurchase } from "./refunding.ts";
import {
  cancelSubscription,
  expireAccess,
  keepOpenForRenewal,
  nextSweep,
  noteUnpaid,
  renewSubscription,
} from "./renewing.ts";
import type { Card, PastPurchase, PastSubscription } from "./rows.ts";
import type { Student } from "./student.ts";

export interface Simulation {
  readonly plans: Readonly<Record<Tier, PlanOnSale>>;
  readonly administrators: readonly string[];
  readonly coupons: readonly CouponRow[];
  readonly now: Date;
}

/** Long enough for everything that follows from a decision of a student. */
const quietTime = HOUR;

const refundReasons = [
  "not what they expected",
  "bought twice with a friend's account",
  "asked within the seven days",
  "has no time for it now",
] as const;

/** Simulates one student, from the sign-up until now. */
export function simulateStudent(student: Student, world: Simulation): void {
  const { random } = student;
  const wanted = random.weighted({ nothing: 23, basic: 51, premium: 18, vip: 8 });
  const decidesAfter = random.weighted({ [4 * MINUTE]: 65, [1.5 * DAY]: 22, [12 * DAY]: 13 });
  const at = after(student.user.createdAt, Number(decidesAfter) * random.between(0.4, 1.6));
  if (wanted !== "nothing") attend(student, world, wanted, at);
  else if (random.happens(0.12)) buy(student, world, "basic", at, { isDeclined: true });
  for (const subscription of student.subscriptions) noteUnpaid(subscription, world.now);
}

/** Buys and uses a plan, and perhaps comes back some time after it has ended. */
function attend(student: Student, world: Simulation, tier: Tier, at: Date): void {
  const { random } = student;
  const purchase = tryToBuy(student, world, tier, at);
  const ended = purchase && (tier === "basic" ? subscribe(student, world) : own(student, world, purchase));
  if (ended === null || !random.happens(0.3)) return;
  const back = after(ended, random.between(9, 120) * DAY);
  if (isPast(world, back)) attend(student, world, random.weighted({ basic: 75, premium: 25 }), back);
}

/** A first card that is declined is followed by another one, or by nothing. */
function tryToBuy(student: Student, world: Simulation, tier: Tier, at: Date): PastPurchase | null {
  const { random } = student;
  if (!random.happens(0.08)) return buy(student, world, tier, at);
  buy(student, world, tier, at, { isDeclined: true });
  return random.happens(0.7) ? buy(student, world, tier, after(at, random.between(2, 9) * MINUTE)) : null;
}

/** Null when the card is declined, or the time has not come. */
function buy(
  student: Student,
  { plans, coupons, now }: Simulation,
  tier: Tier,
  at: Date,
  { isDeclined = false } = {},
): PastPurchase | null {
  if (!isPast({ now }, at)) return null;
  const coupon = couponInHand(coupons, student, plans[tier], at);
  return buyPlan(student, plans[tier], newCard(student), at, { isDeclined, coupon });
}

/** When the course ended, for anybody who comes back; null when it goes on, or nothing comes after it. */
type Ended = Date | null;

function subscribe(student: Student, world: Simulation): Ended {
  const { random } = student;
  const subscription = student.subscriptions.at(-1);
  if (!subscription) return null;
  for (let period = 1; ; period++) {
    const turn = random.weighted({
      goesOn: period < 4 ? 74 : 150,
      cancels: period === 1 ? 15 : 9,
      upgrades: period < 5 ? 5 : 2,
      isRefunded: period === 1 && student.subscriptions.length === 1 ? 8 : 0,
    });
    const days = {
      goesOn: 0,
      cancels: random.between(1, 29),
      upgrades: random.between(2, 28),
      isRefunded: refundDay(student),
    };
    const at = after(subscription.currentPeriodStart, days[turn] * DAY);
    if (!isPast(world, at)) return null;
    if (turn === "cancels") return cancel(student, world, subscription, at);
    if (turn === "isRefunded") return refund(student, world, subscription.purchase, at);
    if (turn === "upgrades") {
      const better = buy(student, world, random.happens(0.8) ? "premium" : "vip", at);
      return better && own(student, world, better);
    }
    const ended = renew(student, world, subscription);
    if (ended !== "renewed") return ended;
  }
}

function cancel(student: Student, world: Simulation, subscription: PastSubscription, at: Date): Ended {
  cancelSubscription(student, subscription, at);
  if (subscription.currentPeriodEnd >= world.now) return null;
  expireAccess(student, subscription);
  return subscription.currentPeriodEnd;
}

/** Brings a subscription over the end of a period: renewed, ended at an instant, or null when nothing is known yet. */
function renew(student: Student, world: Simulation, subscription: PastSubscription): "renewed" | Ended {
  const { random } = student;
  if (after(subscription.currentPeriodEnd, -MINUTE) >= world.now) return null;
  keepOpenForRenewal(student, subscription);
  // The charge and its retries. Students may cancel between them, or later while the account is on hold.
  for (const succeeds of [0.89, 0.4, 0.25, 0.12]) {
    const at = chargedAt(student, subscription);
    if (at >= world.now) return null;
    if (renewSubscription(student, subscription, at, { isDeclined: !random.happens(succeeds) })) return "renewed";
    const meanwhile = after(at, random.between(3, 60) * HOUR);
    if (!random.happens(0.09)) continue;
    if (!isPast(world, meanwhile)) return null;
    cancelSubscription(student, subscription, meanwhile);
    return meanwhile;
  }
  return null;
}

/** A purchase that does not renew. Returns when it was refunded. */
function own(student: Student, world: Simulation, purchase: PastPurchase): Ended {
  const { random } = student;
  const turn = random.weighted({ keeps: 84, isRefunded: 9, upgrades: 7 });
  const days = turn === "isRefunded" ? refundDay(student) : random.between(12, 110);
  const at = after(purchase.createdAt, days * DAY);
  if (turn === "keeps" || !isPast(world, at)) return null;
  // An upgrade is refunded with what it replaced, for which nobody of this history asks.
  if (turn === "isRefunded") return purchase.credit > 0 ? null : refund(student, world, purchase, at);
  const best = purchase.tier === "premium" ? buy(student, world, "vip", at) : null;
  return best && own(student, world, best);
}

/** Some are refunded on the same day, which voids the charge. */
function refundDay({ random }: Student): number {
  return random.happens(0.3) ? random.between(0.01, 0.15) : random.between(0.3, 6.5);
}

function refund(student: Student, world: Simulation, purchase: PastPurchase, at: Date): Ended {
  const { random } = student;
  const by = { actor: random.pick(world.administrators), reason: random.pick(refundReasons) };
  refundPurchase(student, purchase, by, at);
  return at;
}

/** When the sweep that finds a due subscription has it charged. */
function chargedAt({ random }: Student, { nextChargeAt }: PastSubscription): Date {
  if (!nextChargeAt) throw new Error("nothing is due");
  return after(nextSweep(nextChargeAt), random.between(0.3, 3) * SECOND);
}

function isPast({ now }: Pick<Simulation, "now">, at: Date): boolean {
  return at < after(now, -quietTime);
}

const brands = { Visa: 52, MasterCard: 33, AmericanExpress: 9, Discover: 6 };

function newCard({ random, user }: Student): Card {
  const year = user.createdAt.getUTCFullYear() + random.whole(5, 9);
  const month = String(random.whole(1, 12)).padStart(2, "0");
  return {
    brand: random.weighted(brands),
    last4: String(random.whole(0, 9999)).padStart(4, "0"),
    expiry: `${year}-${month}`,
    zip: String(random.whole(10_001, 45_999)),
  };
}
