import { type Tier, tierRank } from "#contract/tiers.ts";

export type Outcome = "approve" | "decline" | "decline-hard";

/** A paid purchase whose refund, if any, left the course open. Times are days since the start. */
interface Bought {
  readonly id: string;
  readonly tier: Tier;
  readonly boughtOn: number;
  /** The day of the newest charge, which a refund returns. */
  chargedOn: number;
  /** The start of access. */
  from: number;
  /** The end of the paid period. */
  until: number;
  isRefunded: boolean;
  /** The purchases that it replaced, with their remaining days. */
  readonly replaced: readonly { readonly one: Bought; readonly days: number }[];
  /** The subscription. Null for one-time payments. */
  monthly: {
    state: "active" | "cancelled" | "on_hold";
    next: number | null;
    declinedSince: number | null;
    forGood: boolean;
    /** Declined, and shown as renewing since an administrator reactivated it. */
    isRetrying: boolean;
    /** The end of the days for which it was reopened without a payment, once before the next one. */
    reopenedUntil: number | null;
    isHeldByHand: boolean;
    /** In a grace period, while the renewal is retried. */
    openUntil: number;
    /** The start of the grace period: the paid end, or the first charge after a reactivation. */
    graceFrom: number;
    /** The days of late payments. */
    readonly latePayments: number[];
  } | null;
}

type Subscription = Bought & { monthly: NonNullable<Bought["monthly"]> };

/** The maximum age of a charge that the gateway refunds. */
const refundableFor = 120;
/** Within these days of the first purchase, its upgrades are refunded together with it. */
const policyDays = 7;

const settled = { declinedSince: null, forGood: false, isRetrying: false, openUntil: 0 } as const;

/** An independent model of a student's subscriptions. */
export class SubscriptionModel {
  today = 0;
  charges = 0;
  returns = 0;
  account: "active" | "on_hold" = "active";
  isDisputed = false;
  /** The outcomes of the next charges and refunds, in order. */
  staged: Outcome[] = [];
  /** The newest first. */
  private bought: Bought[] = [];
  private first: Bought | undefined;

  /** The current tier. Periods end shortly after midnight, so those of today have ended. */
  get tier(): Tier | null {
    const inForce = this.bought.filter((one) => Math.max(one.until, one.monthly?.openUntil ?? 0) > this.today);
    return inForce.map(({ tier }) => tier).toSorted((a, b) => tierRank(b) - tierRank(a))[0] ?? null;
  }

  /** The state that the membership page shows. Null without a subscription. */
  get shown(): { state: string; amountDue: string } | null {
    const one = this.current;
    if (!one) return null;
    const { state, declinedSince, isRetrying } = one.monthly;
    if (state === "cancelled") return { state, amountDue: "0.00" };
    if (one.monthly.isHeldByHand) return { state: "on-hold", amountDue: "0.00" };
    const amountDue = one.until <= this.today ? "49.00" : "0.00";
    if (state === "on_hold") return { state: "on-hold", amountDue };
    return { state: declinedSince === null || isRetrying ? "renewing" : "declined", amountDue };
  }

  advance(days: number): void {
    this.today += days;
    const one = this.renewing;
    if (one?.monthly.state !== "active" || this.account !== "active") return;
    if (one.monthly.next === null || one.monthly.next > this.today) return;
    if (this.isDisputed) {
      // The first week as always; then each day gives two.
      one.monthly.openUntil = Math.max(one.monthly.openUntil, one.until + 7, this.today + 2);
      return;
    }
    const outcome = one.monthly.forGood ? "decline-hard" : this.charge();
    if (outcome === "approve") this.renewed(one);
    else this.declined(one, outcome === "decline-hard");
  }

  private declined({ monthly }: Subscription, forGood: boolean): void {
    const since = monthly.declinedSince ?? this.today;
    const isAsBefore = monthly.declinedSince !== null && monthly.forGood === forGood;
    const next = forGood ? since + 3 : [3, 7, 14].map((wait) => since + wait).find((day) => day > this.today);
    Object.assign(monthly, { declinedSince: since, forGood, isRetrying: false });
    if (next === undefined || next <= this.today || monthly.reopenedUntil !== null) {
      Object.assign(monthly, { state: "on_hold", next: null, openUntil: 0 });
      this.account = "on_hold";
    } else {
      const openUntil = isAsBefore ? monthly.openUntil : Math.min(since + (forGood ? 3 : 14), monthly.graceFrom + 15);
      Object.assign(monthly, { next, openUntil });
    }
  }

  /** The expected status of buying this plan. */
  buy(tier: Tier, id: string): 200 | 402 | 403 | 409 {
    if (this.isDisputed) return 409;
    if (this.account !== "active") return 403;
    const owned = this.tier;
    // A second year right after the last purchase counts as a double click.
    const clickedTwice = this.bought.some(({ boughtOn }) => boughtOn === this.today);
    const again = owned === "premium" && tier === "premium" && !clickedTwice;
    if (owned !== null && tierRank(tier) <= tierRank(owned) && !again) return 409;
    if (this.charge() !== "approve") return 402;
    const replaced = this.renewing;
    if (replaced) this.stop(replaced);
    const sameTier = this.bought.filter((one) => one.tier === tier).map(({ until }) => until);
    const from = Math.max(this.today, ...sameTier);
    const until = { basic: this.today + 30, premium: from + 365, vip: Number.POSITIVE_INFINITY }[tier];
    const neverHeld = { reopenedUntil: null, isHeldByHand: false };
    const begun = {
      ...settled,
      ...neverHeld,
      state: "active" as const,
      next: until,
      graceFrom: until,
      latePayments: [],
    };
    const monthly = tier === "basic" ? begun : null;
    const today = { boughtOn: this.today, chargedOn: this.today };
    const one = { id, tier, ...today, from, until, isRefunded: false, replaced: this.replaceLower(tier), monthly };
    this.first ??= one;
    this.bought.unshift(one);
    return 200;
  }

  /** Ends paid periods of lower tiers, and records their remaining days, the earliest first. */
  private replaceLower(tier: Tier): Bought["replaced"] {
    const lower = this.bought.filter((one) => tierRank(one.tier) < tierRank(tier) && one.until > this.today);
    return lower
      .toSorted((a, b) => a.from - b.from)
      .map((one) => {
        const days = one.until - Math.max(this.today, one.from);
        one.until = this.today;
        return { one, days };
      });
  }

  cancel(): 200 | 404 | 409 {
    if (this.subscriptions.length === 0) return 404;
    const one = this.renewing;
    if (!one) return 409;
    this.stop(one);
    return 200;
  }

  resume(): 200 | 403 | 404 | 409 {
    const one = this.current;
    if (!one) return 404;
    if (one.monthly.state !== "cancelled") return 409;
    if (this.account !== "active") return 403;
    Object.assign(one.monthly, { state: "active", next: one.until });
    return 200;
  }

  newCard(): 200 | 402 | 403 | 404 | 409 {
    const one = this.renewing;
    if (!one) return 404;
    if (this.isDisputed) return 409;
    // No card ends an administrator's suspension or hold.
    if (one.monthly.isHeldByHand) return 403;
    if (one.until > this.today) return 200;
    if (this.charge() !== "approve") return 402;
    this.renewed(one);
    return 200;
  }

  /** An administrator holds the newest subscription. */
  holdByHand(): 200 | 404 | 409 {
    const one = this.subscriptions[0];
    if (!one) return 404;
    const { state, declinedSince, isRetrying } = one.monthly;
    if (state !== "active" || (declinedSince !== null && !isRetrying) || this.account !== "active") return 409;
    Object.assign(one.monthly, { state: "on_hold", isHeldByHand: true, next: null });
    this.account = "on_hold";
    return 200;
  }

  reactivate(): 200 | 409 {
    const one = this.renewing;
    const blocked =
      one && ((one.monthly.declinedSince !== null && !one.monthly.isRetrying) || one.monthly.state === "on_hold");
    if (this.account === "active" && !blocked) return 409;
    if (one && !this.reopen(one)) return 409;
    if (one?.monthly.state !== "on_hold") this.account = "active";
    return 200;
  }

  /** False when it waits for a payment. */
  private reopen({ until, monthly }: Subscription): boolean {
    const { declinedSince, openUntil, graceFrom, reopenedUntil, isHeldByHand } = monthly;
    const inDays = this.today + 3;
    const active = { state: "active", isHeldByHand: false } as const;
    if (until > this.today) Object.assign(monthly, { ...settled, ...active, openUntil, next: until });
    else if (declinedSince === null) {
      const isFirst = graceFrom <= until;
      Object.assign(monthly, { ...active, next: isFirst ? inDays : Math.max(graceFrom, this.today) });
      if (isFirst) Object.assign(monthly, { graceFrom: inDays, openUntil: Math.max(openUntil, inDays + 3) });
    } else {
      const isOpen = openUntil > this.today;
      if (reopenedUntil === null && openUntil <= inDays) {
        const reopened = { next: inDays, openUntil: inDays, reopenedUntil: inDays };
        Object.assign(monthly, { ...active, ...reopened, isRetrying: true });
      } else if (isOpen) {
        Object.assign(monthly, { ...active, isRetrying: true, next: monthly.next ?? Math.min(inDays, openUntil) });
      } else if (!isHeldByHand) return false;
      // Without the administrator's hold, it waits for a payment.
      else Object.assign(monthly, { state: "on_hold", isHeldByHand: false, next: null, openUntil: 0 });
    }
    return true;
  }

  /** An administrator refunds the newest charge of the newest purchase, with a reason. */
  refund(isKeptOpen = false): 200 | 404 | 503 {
    const newest = this.newest;
    if (!newest) return 404;
    const outcome = this.staged.shift() ?? "approve";
    if (outcome !== "approve" || this.today - newest.chargedOn >= refundableFor) return 503;
    this.returns++;
    if (newest.monthly) this.stop(newest as Subscription);
    newest.isRefunded = true;
    if (!isKeptOpen) this.bought = this.bought.filter((one) => one !== newest);
    if (this.belongsToFirst(newest)) this.takeBack(newest);
    else if (!isKeptOpen) this.giveBack(newest);
    return 200;
  }

  /** The newest purchase that was not refunded. */
  get newest(): Bought | undefined {
    return this.bought.find(({ isRefunded }) => !isRefunded);
  }

  private belongsToFirst(upgrade: Bought): boolean {
    const { first } = this;
    return first !== undefined && this.today - first.boughtOn < policyDays && replacedBy(upgrade).includes(first);
  }

  /** An upgrade within the first days is refunded together with all that it replaced. */
  private takeBack(upgrade: Bought): void {
    const chain = replacedBy(upgrade);
    this.returns += chain.length;
    this.bought = this.bought.filter((one) => !chain.includes(one));
  }

  /** The replaced days begin today, one after the other. */
  private giveBack({ replaced }: Bought): void {
    for (const { one, days } of replaced) {
      const sameTier = this.bought.filter(({ tier }) => tier === one.tier).map(({ until }) => until);
      one.from = Math.max(this.today, ...sameTier);
      one.until = one.from + days;
    }
  }

  get subscriptions(): Subscription[] {
    return this.bought.filter((one): one is Subscription => one.monthly !== null);
  }

  /** The subscription that is not cancelled, of which there is at most one. */
  private get renewing(): Subscription | undefined {
    return this.subscriptions.find(({ monthly }) => monthly.state !== "cancelled");
  }

  /** That one, else a cancelled one that the student still uses. */
  private get current(): Subscription | undefined {
    return this.renewing ?? this.subscriptions.find(({ until }) => until > this.today && this.tier === "basic");
  }

  private charge(): Outcome {
    const outcome = this.staged.shift() ?? "approve";
    if (outcome === "approve") this.charges++;
    return outcome;
  }

  private renewed(one: Subscription): void {
    const onTime = this.today < one.until + 1;
    const lateBefore = one.monthly.latePayments.filter((day) => day > this.today - 365).length;
    // From the third late payment of a year on, the days of grace are part of the paid ones.
    const from = lateBefore < 2 ? this.today : Math.max(one.until, this.today - 14);
    if (!onTime) one.monthly.latePayments.push(this.today);
    one.until = (onTime ? one.until : from) + 30;
    one.chargedOn = this.today;
    one.isRefunded = false;
    const paid = { ...settled, reopenedUntil: null, isHeldByHand: false };
    Object.assign(one.monthly, { ...paid, state: "active", next: one.until, graceFrom: one.until });
    this.account = "active";
  }

  private stop({ monthly }: Subscription): void {
    // An administrator's hold stays.
    if (monthly.state === "on_hold" && !monthly.isHeldByHand) this.account = "active";
    Object.assign(monthly, { ...settled, state: "cancelled", isHeldByHand: false, next: null });
  }
}

function replacedBy({ replaced }: Bought): Bought[] {
  return replaced.flatMap(({ one }) => [one, ...replacedBy(one)]);
}
