import { builtInSettings } from "#content/site.ts";
import { after, DAY, HOUR, MINUTE, SECOND } from "#server/base/clock.ts";
import type { CouponRow } from "#server/coupons/tables.ts";
import { policyUntil } from "#server/refunds/rules.ts";
import {
  deleteAccount,
  expireAccess,
  giveTier,
  holdAccount,
  reactivateAccount,
  signOutEverywhere,
  suspendAccount,
} from "./account.ts";
import { buyPlan, type PlanOnSale } from "./buying.ts";
import { couponInHand } from "./coupons.ts";
import { disputeCharge, refundCharge } from "./refunding.ts";
import {
  cancelSubscription,
  holdForPayment,
  keepOpenForRenewal,
  nextSweep,
  noteUnpaid,
  renewSubscription,
  resumeSubscription,
} from "./renewing.ts";
import type { PastPurchase } from "./rows.ts";
import type { Card, Student } from "./student.ts";

export interface Simulation {
  readonly plans: Readonly<Record<"basic" | "premium" | "vip", PlanOnSale>>;
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

/** Simulates one student, from the sign-up until now or until the account is deleted. */
export function simulateStudent(student: Student, world: Simulation): void {
  const { random } = student;
  const joinedAt = student.user.createdAt;
  const wanted = random.weighted({ nothing: 23, basic: 51, premium: 18, vip: 8 });
  const decidesAfter = random.weighted({ [4 * MINUTE]: 65, [1.5 * DAY]: 22, [12 * DAY]: 13 });
  const at = after(joinedAt, Number(decidesAfter) * random.between(0.4, 1.6));
  if (wanted === "nothing") {
    stayVisitor(student, world, at);
    return;
  }
  const purchase = tryToBuy(student, world, world.plans[wanted], at);
  if (!purchase) return;
  const rest =
    wanted === "basic" ? subscribe(student, world, purchase, { isFirst: true }) : own(student, world, purchase);
  if (rest) comeBack(student, world, rest);
}

function stayVisitor(student: Student, world: Simulation, at: Date): void {
  const { random } = student;
  if (random.happens(0.12) && isPast(world, at))
    buyPlan(student, world.plans.basic, newCard(student), at, { isDeclined: true });
  const giftAt = after(at, random.between(5, 40) * DAY);
  if (random.happens(0.06) && isPast(world, giftAt)) {
    const endsAt = after(giftAt, 60 * DAY);
    giveTier(student, "premium", endsAt, administrator(student, world), "won the spring giveaway", giftAt);
    if (endsAt < world.now) expireAccess(student, endsAt);
  } else maybeLeave(student, world, after(at, random.between(2, 60) * DAY), 0.05);
}

/** A first card that is declined is followed by another one, or by nothing. */
function tryToBuy(student: Student, world: Simulation, plan: PlanOnSale, at: Date): PastPurchase | null {
  const { random } = student;
  if (!isPast(world, at)) return null;
  if (!random.happens(0.08)) return buy(student, world, plan, at);
  buy(student, world, plan, at, { isDeclined: true });
  const again = after(at, random.between(2, 9) * MINUTE);
  return random.happens(0.7) && isPast(world, again) ? buy(student, world, plan, again) : null;
}

function buy(
  student: Student,
  world: Simulation,
  plan: PlanOnSale,
  at: Date,
  { isDeclined = false } = {},
): PastPurchase | null {
  const { email } = student.user;
  const coupon = couponInHand(world.coupons, { email, purchases: student.purchases }, plan, at);
  return buyPlan(student, plan, newCard(student), at, { isDeclined, coupon });
}

interface Period {
  readonly purchase: PastPurchase;
  readonly paidUntil: Date;
  readonly during: (fromDay: number, toDay: number) => Date;
}

/** When a subscription ended, for anybody who comes back; null when it goes on, or nothing comes after it. */
type Ended = Date | null;

const turns = {
  goesOn: () => "goes on",
  isRefunded: beRefunded,
  disputes: dispute,
  upgrades: upgrade,
  leaves: leave,
  isHeld: beHeld,
  cancels: cancel,
} satisfies Record<string, (student: Student, world: Simulation, period: Period) => "goes on" | Ended>;

function subscribe(
  student: Student,
  world: Simulation,
  purchase: PastPurchase,
  { isFirst }: { readonly isFirst: boolean },
): Ended {
  const { random } = student;
  for (let period = 1; purchase.paidUntil; period++) {
    const { paidUntil } = purchase;
    const begun = after(paidUntil, -30 * DAY);
    const during = (from: number, to: number) => after(begun, random.between(from, to) * DAY);
    const turn = random.weighted({
      goesOn: period < 4 ? 74 : 150,
      cancels: period === 1 ? 15 : 9,
      upgrades: period < 5 ? 5 : 2,
      isRefunded: period === 1 && isFirst ? 5 : 0.5,
      isHeld: 0.8,
      disputes: period > 1 ? 0.9 : 0,
      leaves: 0.6,
    });
    const taken = turns[turn](student, world, { purchase, paidUntil, during });
    if (taken !== "goes on") return taken;
    const ended = renew(student, world, purchase);
    if (ended !== "renewed") return ended;
  }
  return null;
}

function beRefunded(student: Student, world: Simulation, { purchase, during }: Period): Ended {
  const { random } = student;
  const at = random.happens(0.3) ? during(0.01, 0.15) : during(0.3, 6.5);
  if (!isPast(world, at)) return null;
  refundCharge(student, purchase, administrator(student, world), random.pick(refundReasons), at);
  return maybeLeave(student, world, after(at, 3 * DAY), 0.2) ? null : at;
}

function dispute(student: Student, world: Simulation, { purchase, during }: Period): Ended {
  const foundAt = during(10, 22);
  const at = after(foundAt, student.random.between(2, 20) * HOUR);
  if (isPast(world, at)) disputeCharge(student, purchase, administrator(student, world), foundAt, at);
  return null;
}

function upgrade(student: Student, world: Simulation, { during }: Period): Ended {
  const at = during(2, 28);
  if (!isPast(world, at)) return null;
  const better = buy(student, world, world.plans[student.random.happens(0.8) ? "premium" : "vip"], at);
  return better && own(student, world, better);
}

function leave(student: Student, world: Simulation, { during }: Period): Ended {
  maybeLeave(student, world, during(5, 28), 1);
  return null;
}

function beHeld(student: Student, world: Simulation, { purchase, during }: Period): "goes on" | Ended {
  const at = during(2, 14);
  if (!isPast(world, at)) return null;
  const by = administrator(student, world);
  holdAccount(student, purchase, by, "The address on the account is being checked.", at);
  const liftedAt = after(at, student.random.between(1, 9) * DAY);
  if (!isPast(world, liftedAt)) return null;
  reactivateAccount(student, by, "address confirmed", liftedAt);
  return "goes on";
}

function cancel(student: Student, world: Simulation, { purchase, paidUntil, during }: Period): "goes on" | Ended {
  const { random } = student;
  const at = during(1, 29);
  if (!isPast(world, at)) return null;
  cancelSubscription(student, purchase, at);
  const back = after(at, random.between(0.1, 0.9) * (paidUntil.getTime() - at.getTime()));
  if (!random.happens(0.12)) {
    if (paidUntil >= world.now) return null;
    expireAccess(student, paidUntil);
    return maybeLeave(student, world, after(paidUntil, random.between(1, 40) * DAY), 0.1) ? null : paidUntil;
  }
  if (!isPast(world, back)) return null;
  resumeSubscription(student, purchase, back);
  return "goes on";
}

/** Brings a subscription over the end of a period: renewed, ended at an instant, or null when nothing is known yet. */
function renew(student: Student, world: Simulation, purchase: PastPurchase): "renewed" | Date | null {
  const { random } = student;
  const { paidUntil } = purchase;
  if (!paidUntil || !purchase.nextBillingDate || after(paidUntil, -MINUTE) >= world.now) return null;
  keepOpenForRenewal(student, purchase);
  const at = chargedAt(student, purchase);
  if (at >= world.now) return null;
  const result = random.weighted({ approved: 89, declined: 9.5, "declined-for-good": 1.5 });
  if (renewSubscription(student, purchase, at, { result })) return "renewed";
  return result === "declined" ? dun(student, world, purchase) : giveUpCard(student, world, purchase);
}

/** The retries of a declined renewal, between which people may come with another card, or cancel. */
function dun(student: Student, world: Simulation, purchase: PastPurchase): "renewed" | Date | null {
  const { random } = student;
  for (const succeeds of [0.36, 0.22, 0.1]) {
    const last = purchase.lastPaymentAttempt ?? world.now;
    const meanwhile = after(last, random.between(3, 60) * HOUR);
    const next = chargedAt(student, purchase);
    const answer = random.weighted({ waits: 76, givesCard: 17, cancels: 7 });
    if (answer !== "waits" && meanwhile < next) {
      if (!isPast(world, meanwhile)) return null;
      if (answer === "givesCard") return payByNewCard(student, purchase, meanwhile);
      cancelSubscription(student, purchase, meanwhile);
      return meanwhile;
    }
    const { declinedSince } = purchase;
    if (declinedSince && next > after(declinedSince, 6 * DAY) && after(declinedSince, 7 * DAY) < world.now) {
      noteUnpaid(purchase);
    }
    if (next >= world.now) return null;
    if (renewSubscription(student, purchase, next, { result: random.happens(succeeds) ? "approved" : "declined" }))
      return "renewed";
  }
  return onHold(student, world, purchase);
}

/** A card that can never be charged again is followed by another one within three days, or by the hold. */
function giveUpCard(student: Student, world: Simulation, purchase: PastPurchase): "renewed" | Date | null {
  const { random } = student;
  const heldAt = chargedAt(student, purchase);
  const meanwhile = after(heldAt, -random.between(4, 60) * HOUR);
  if (random.happens(0.5)) return isPast(world, meanwhile) ? payByNewCard(student, purchase, meanwhile) : null;
  if (heldAt >= world.now) return null;
  holdForPayment(student, purchase, `${purchase.paidUntil?.toISOString()}:${heldAt.toISOString()}`, heldAt);
  return onHold(student, world, purchase);
}

function onHold(student: Student, world: Simulation, purchase: PastPurchase): "renewed" | Date | null {
  const { random } = student;
  const heldAt = student.user.updatedAt;
  const at = after(heldAt, random.between(0.1, 16) * DAY);
  if (after(purchase.declinedSince ?? heldAt, 7 * DAY) < world.now) noteUnpaid(purchase);
  if (!isPast(world, at)) return null;
  switch (random.weighted({ givesCard: 30, cancels: 14, isReactivated: 8, stays: 42, leaves: 6 })) {
    case "givesCard":
      return payByNewCard(student, purchase, at);
    case "cancels":
      cancelSubscription(student, purchase, at);
      return at;
    case "leaves":
      maybeLeave(student, world, at, 1);
      return null;
    case "isReactivated": {
      reactivateAccount(student, administrator(student, world), "asked for a few days until payday", at);
      const next = chargedAt(student, purchase);
      if (next >= world.now) return null;
      if (purchase.declinedForGood) {
        holdForPayment(student, purchase, `${purchase.paidUntil?.toISOString()}:${next.toISOString()}`, next);
        return null;
      }
      const result = random.happens(0.7) ? "approved" : "declined";
      return renewSubscription(student, purchase, next, { result }) ? "renewed" : null;
    }
    default:
      return null;
  }
}

function payByNewCard(student: Student, purchase: PastPurchase, at: Date): "renewed" {
  renewSubscription(student, purchase, at, { result: "approved", card: newCard(student) });
  return "renewed";
}

/** A purchase that does not renew. Returns when it was refunded, as `subscribe` does. */
function own(student: Student, world: Simulation, purchase: PastPurchase): Date | null {
  const { random } = student;
  const boughtAt = purchase.completedAt ?? purchase.createdAt;
  const by = administrator(student, world);
  const later = (from: number, to: number) => after(boughtAt, random.between(from, to) * DAY);
  const turn = random.weighted({ keeps: 80, isRefunded: 5, gesture: 4, upgrades: 7, disputes: 2, isSuspended: 2 });
  const at = turn === "isRefunded" ? later(0.02, 6.8) : later(12, 110);
  if (turn === "keeps" || !isPast(world, at)) return null;
  if (turn === "isRefunded" && purchase.creditFrom.length > 0 && isWithinPolicy(student, at)) return null;
  if (turn === "isRefunded") {
    refundCharge(student, purchase, by, random.pick(refundReasons), at);
    return maybeLeave(student, world, after(at, 2 * DAY), 0.2) ? null : at;
  }
  if (turn === "gesture") refundCharge(student, purchase, by, "a gesture for the long wait for module 4", at, 40_00);
  if (turn === "disputes") {
    const repairedAt = after(at, random.between(2, 20) * HOUR);
    if (isPast(world, repairedAt)) disputeCharge(student, purchase, by, at, repairedAt);
  }
  if (turn === "isSuspended") {
    signOutEverywhere(student, by, "one account used from many places", at);
    suspendAccount(student, by, "Suspended for sharing sign-in details.", after(at, 4 * MINUTE));
  }
  if (turn === "upgrades" && purchase.tier === "premium") {
    const best = buy(student, world, world.plans.vip, at);
    return best && own(student, world, best);
  }
  return null;
}

/** Then an upgrade goes back with what it replaced, as nobody of this history asks for. */
function isWithinPolicy({ purchases }: Student, at: Date): boolean {
  const first = purchases.find(({ completedAt }) => completedAt !== null)?.completedAt;
  return first != null && at <= policyUntil({ paidAt: first, refundDays: builtInSettings.refundDays });
}

function comeBack(student: Student, world: Simulation, since: Date): void {
  const { random } = student;
  const at = after(since, random.between(9, 120) * DAY);
  if (!random.happens(0.3) || !isPast(world, at) || student.isDeleted || student.accessAt(at).tier !== null) return;
  const tier = random.weighted({ basic: 75, premium: 25 });
  const purchase = tryToBuy(student, world, world.plans[tier], at);
  if (!purchase) return;
  const rest =
    tier === "basic" ? subscribe(student, world, purchase, { isFirst: false }) : own(student, world, purchase);
  if (rest) comeBack(student, world, rest);
}

function maybeLeave(student: Student, world: Simulation, at: Date, probability: number): boolean {
  if (!student.random.happens(probability) || !isPast(world, at)) return false;
  deleteAccount(student, student.random.happens(0.4) ? administrator(student, world) : null, at);
  return true;
}

function administrator({ random }: Student, world: Simulation): string {
  return random.pick(world.administrators);
}

/** When the sweep that finds a due subscription has it charged. */
function chargedAt({ random }: Student, purchase: PastPurchase): Date {
  if (!purchase.nextBillingDate) throw new Error("nothing is due");
  return after(nextSweep(purchase.nextBillingDate), random.between(0.3, 3) * SECOND);
}

function isPast({ now }: Simulation, at: Date): boolean {
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
