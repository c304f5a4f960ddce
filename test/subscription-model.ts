import { type Tier, tierRank } from "#contract/tiers.ts";

export type Outcome = "approve" | "decline" | "decline-hard";

/** A paid purchase that was not paid back. Days, counted from the first. */
interface Bought {
  readonly tier: Tier;
  readonly boughtOn: number;
  /** The day of the newest charge, which is the one that is paid back. */
  chargedOn: number;
  /** From here it opens. */
  from: number;
  /** The end of what is paid. */
  until: number;
  /** What it took the place of, with the days that were left of it. */
  readonly replaced: readonly { readonly one: Bought; readonly days: number }[];
  /** How it renews, or did; null for what is paid once. */
  monthly: {
    state: "active" | "cancelled" | "on_hold";
    next: number | null;
    declinedSince: number | null;
    forGood: boolean;
    /** Open past what is paid, while it is tried. */
    openUntil: number;
    /** From when that is counted: the end of what is paid, or the first charge after a reactivation. */
    graceFrom: number;
  } | null;
}

type Subscription = Bought & { monthly: NonNullable<Bought["monthly"]> };

/** The gateway pays a charge back up to this age. */
const refundableFor = 120;
/** The days of the first purchase, with which its upgrades go back as a whole. */
const policyDays = 7;

const settled = { declinedSince: null, forGood: false, openUntil: 0 } as const;

/** What a person could work out on paper about one student's subscriptions. */
export class SubscriptionModel {
  today = 0;
  charges = 0;
  returns = 0;
  account: "active" | "on_hold" = "active";
  /** What happens to the next charges and refunds, in their order. */
  staged: Outcome[] = [];
  /** The newest first. */
  private bought: Bought[] = [];
  private first: Bought | undefined;

  /** The tier in force. Ends are shortly after midnight of their day, so what ends today has ended. */
  get tier(): Tier | null {
    const inForce = this.bought.filter((one) => Math.max(one.until, one.monthly?.openUntil ?? 0) > this.today);
    return inForce.map(({ tier }) => tier).toSorted((a, b) => tierRank(b) - tierRank(a))[0] ?? null;
  }

  /** The state that a membership page shows; null when there is none. */
  get shown(): { state: string; amountDue: string } | null {
    const one = this.current;
    if (!one) return null;
    const { state, declinedSince } = one.monthly;
    if (state === "cancelled") return { state, amountDue: "0.00" };
    if (isHeldByHand(one)) return { state: "on-hold", amountDue: "0.00" };
    const amountDue = one.until <= this.today ? "49.00" : "0.00";
    if (state === "on_hold") return { state: "on-hold", amountDue };
    return { state: declinedSince === null ? "renewing" : "declined", amountDue };
  }

  advance(days: number): void {
    this.today += days;
    const one = this.renewing;
    if (one?.monthly.state !== "active" || this.account !== "active") return;
    if (one.monthly.next === null || one.monthly.next > this.today) return;
    const outcome = one.monthly.forGood ? "decline-hard" : this.charge();
    if (outcome === "approve") this.renewed(one);
    else this.declined(one, outcome === "decline-hard");
  }

  private declined({ monthly }: Subscription, forGood: boolean): void {
    const since = monthly.declinedSince ?? this.today;
    const next = forGood ? since + 3 : [3, 7, 14].map((wait) => since + wait).find((day) => day > this.today);
    Object.assign(monthly, { declinedSince: since, forGood });
    if (next === undefined || next <= this.today) {
      Object.assign(monthly, { state: "on_hold", next: null, openUntil: 0 });
      this.account = "on_hold";
    } else Object.assign(monthly, { next, openUntil: Math.min(since + (forGood ? 3 : 14), monthly.graceFrom + 15) });
  }

  /** The answer's status to a purchase of this plan. */
  buy(tier: Tier): 200 | 402 | 403 | 409 {
    if (this.account !== "active") return 403;
    const owned = this.tier;
    // A second year bought right after the last purchase is one person clicking twice.
    const clickedTwice = this.bought.some(({ boughtOn }) => boughtOn === this.today);
    const again = owned === "premium" && tier === "premium" && !clickedTwice;
    if (owned !== null && tierRank(tier) <= tierRank(owned) && !again) return 409;
    if (this.charge() !== "approve") return 402;
    const replaced = this.renewing;
    if (replaced) this.stop(replaced);
    const sameTier = this.bought.filter((one) => one.tier === tier).map(({ until }) => until);
    const from = Math.max(this.today, ...sameTier);
    const until = { basic: this.today + 30, premium: from + 365, vip: Number.POSITIVE_INFINITY }[tier];
    const monthly = tier === "basic" ? { ...settled, state: "active" as const, next: until, graceFrom: until } : null;
    const today = { boughtOn: this.today, chargedOn: this.today };
    const one = { tier, ...today, from, until, replaced: this.replaceLower(tier), monthly };
    this.first ??= one;
    this.bought.unshift(one);
    return 200;
  }

  /** What was paid of lower tiers ends, and is remembered in days, the earliest first. */
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

  newCard(): 200 | 402 | 403 | 404 {
    const one = this.renewing;
    if (!one) return 404;
    // No card opens what an administrator has closed.
    if (isHeldByHand(one)) return 403;
    if (one.until > this.today) return 200;
    if (this.charge() !== "approve") return 402;
    this.renewed(one);
    return 200;
  }

  /** An administrator holds the newest subscription. */
  holdByHand(): 200 | 404 | 409 {
    const one = this.subscriptions[0];
    if (!one) return 404;
    if (one.monthly.state !== "active" || one.monthly.declinedSince !== null || this.account !== "active") return 409;
    Object.assign(one.monthly, { state: "on_hold", next: null });
    this.account = "on_hold";
    return 200;
  }

  reactivate(): 200 | 409 {
    const one = this.renewing;
    const blocked = one && (one.monthly.declinedSince !== null || one.monthly.state === "on_hold");
    if (this.account === "active" && !blocked) return 409;
    this.account = "active";
    if (!one) return 200;
    const isOver = one.until <= this.today;
    const next = isOver ? this.today + 3 : one.until;
    const openUntil = isOver ? Math.max(one.monthly.openUntil, this.today + 6) : one.monthly.openUntil;
    const graceFrom = isOver ? next : one.monthly.graceFrom;
    Object.assign(one.monthly, { ...settled, state: "active", next, openUntil, graceFrom });
    return 200;
  }

  /** An administrator pays back the newest charge of the newest purchase, and says why. */
  refund(): 200 | 404 | 503 {
    const [newest] = this.bought;
    if (!newest) return 404;
    const outcome = this.staged.shift() ?? "approve";
    if (outcome !== "approve" || this.today - newest.chargedOn >= refundableFor) return 503;
    this.returns++;
    if (newest.monthly) this.stop(newest as Subscription);
    this.bought.shift();
    if (this.belongsToFirst(newest)) this.takeBack(newest);
    else this.giveBack(newest);
    return 200;
  }

  private belongsToFirst(upgrade: Bought): boolean {
    const { first } = this;
    return first !== undefined && this.today - first.boughtOn < policyDays && replacedBy(upgrade).includes(first);
  }

  /** All that an upgrade of the first days replaced goes back with it. */
  private takeBack(upgrade: Bought): void {
    const chain = replacedBy(upgrade);
    this.returns += chain.length;
    this.bought = this.bought.filter((one) => !chain.includes(one));
  }

  /** The days that an upgrade replaced follow each other from today. */
  private giveBack({ replaced }: Bought): void {
    for (const { one, days } of replaced) {
      const sameTier = this.bought.filter(({ tier }) => tier === one.tier).map(({ until }) => until);
      one.from = Math.max(this.today, ...sameTier);
      one.until = one.from + days;
    }
  }

  private get subscriptions(): Subscription[] {
    return this.bought.filter((one): one is Subscription => one.monthly !== null);
  }

  /** The one that is not cancelled: nobody has two. */
  private get renewing(): Subscription | undefined {
    return this.subscriptions.find(({ monthly }) => monthly.state !== "cancelled");
  }

  /** That one, or else one that is cancelled and still what the student uses. */
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
    one.until = (onTime ? one.until : this.today) + 30;
    one.chargedOn = this.today;
    Object.assign(one.monthly, { ...settled, state: "active", next: one.until, graceFrom: one.until });
    this.account = "active";
  }

  private stop({ monthly }: Subscription): void {
    // A hold that an administrator placed stays.
    if (monthly.state === "on_hold" && monthly.declinedSince !== null) this.account = "active";
    Object.assign(monthly, { ...settled, state: "cancelled", next: null });
  }
}

function isHeldByHand({ monthly }: Subscription): boolean {
  return monthly.state === "on_hold" && monthly.declinedSince === null;
}

function replacedBy({ replaced }: Bought): Bought[] {
  return replaced.flatMap(({ one }) => [one, ...replacedBy(one)]);
}
