import { type Tier, tierRank } from "#contract/tiers.ts";

export type Outcome = "approve" | "decline" | "decline-hard";

/** What a person could work out on paper about one student's memberships. Days, counted from the first. */
export class MembershipModel {
  today = 0;
  charges = 0;
  account: "active" | "on_hold" = "active";
  /** What happens to the next charges, in their order. */
  staged: Outcome[] = [];
  private boughtOn: number | null = null;
  private grants: { tier: Tier; until: number }[] = [];
  monthly: {
    state: "active" | "cancelled" | "on_hold";
    paidUntil: number;
    next: number | null;
    declinedSince: number | null;
    forGood: boolean;
    /** Open past what is paid, while it is tried. */
    openUntil: number;
  } | null = null;

  /** The tier in force. Ends are a moment after midnight of their day, so what ends today has ended. */
  get tier(): Tier | null {
    const inForce = this.grants.filter((grant) => grant.until > this.today).map((grant) => grant.tier);
    if (this.monthly && Math.max(this.monthly.paidUntil, this.monthly.openUntil) > this.today) inForce.push("basic");
    return inForce.toSorted((a, b) => tierRank(b) - tierRank(a))[0] ?? null;
  }

  /** The state that a membership page shows; null when there is none. */
  get shown(): { state: string; amountDue: string } | null {
    const { monthly } = this;
    if (!monthly) return null;
    if (monthly.state === "cancelled") {
      const runs = monthly.paidUntil > this.today && this.tier === "basic";
      return runs ? { state: "cancelled", amountDue: "0.00" } : null;
    }
    const state = monthly.state === "on_hold" ? "on-hold" : monthly.declinedSince === null ? "renewing" : "declined";
    return { state, amountDue: monthly.paidUntil <= this.today ? "49.00" : "0.00" };
  }

  advance(days: number): void {
    this.today += days;
    const { monthly } = this;
    if (monthly?.state !== "active" || this.account !== "active") return;
    if (monthly.next === null || monthly.next > this.today) return;
    const outcome = monthly.forGood ? "decline-hard" : this.charge();
    if (outcome === "approve") this.renewed();
    else this.declined(monthly, outcome === "decline-hard");
  }

  private declined(monthly: NonNullable<MembershipModel["monthly"]>, forGood: boolean): void {
    const since = monthly.declinedSince ?? this.today;
    const next = forGood ? since + 3 : [3, 7, 14].map((wait) => since + wait).find((day) => day > this.today);
    Object.assign(monthly, { declinedSince: since, forGood });
    if (next === undefined || next <= this.today) this.hold();
    else Object.assign(monthly, { next, openUntil: since + (forGood ? 3 : 14) });
  }

  /** The answer's status to a purchase of this plan. */
  buy(tier: Tier): 200 | 402 | 403 | 409 {
    if (this.account !== "active") return 403;
    const owned = this.tier;
    // A second year bought right after the last purchase is one person clicking twice.
    const again = owned === "premium" && tier === "premium" && this.boughtOn !== this.today;
    if (owned !== null && tierRank(tier) <= tierRank(owned) && !again) return 409;
    if (this.charge() !== "approve") return 402;
    this.boughtOn = this.today;
    const replaced = this.monthly?.state !== "cancelled";
    if (this.monthly && replaced) this.stop();
    if (tier === "basic") {
      const paidUntil = this.today + 30;
      this.keepPaid();
      this.monthly = { state: "active", paidUntil, next: paidUntil, declinedSince: null, forGood: false, openUntil: 0 };
    } else {
      const last = Math.max(
        this.today,
        ...this.grants.filter((grant) => grant.tier === tier).map(({ until }) => until),
      );
      this.grants.push({ tier, until: tier === "vip" ? Number.POSITIVE_INFINITY : last + 365 });
    }
    return 200;
  }

  cancel(): 200 | 404 | 409 {
    if (!this.monthly) return 404;
    if (this.monthly.state === "cancelled") return 409;
    this.stop();
    return 200;
  }

  resume(): 200 | 404 | 409 {
    if (!this.shown || !this.monthly) return 404;
    if (this.monthly.state !== "cancelled") return 409;
    Object.assign(this.monthly, { state: "active", next: this.monthly.paidUntil });
    return 200;
  }

  newCard(): 200 | 402 | 404 {
    const { monthly } = this;
    if (!monthly || monthly.state === "cancelled") return 404;
    if (monthly.paidUntil > this.today) {
      if (monthly.state === "on_hold") Object.assign(monthly, { state: "active", next: monthly.paidUntil });
      this.account = "active";
      return 200;
    }
    if (this.charge() !== "approve") return 402;
    this.renewed();
    return 200;
  }

  holdByHand(): 200 | 404 | 409 {
    if (!this.monthly) return 404;
    if (this.monthly.state !== "active" || this.monthly.declinedSince !== null || this.account !== "active") return 409;
    Object.assign(this.monthly, { state: "on_hold", next: null });
    this.account = "on_hold";
    return 200;
  }

  reactivate(): 200 | 409 {
    const { monthly } = this;
    const blocked =
      monthly && monthly.state !== "cancelled" && (monthly.declinedSince !== null || monthly.state === "on_hold");
    if (this.account === "active" && !blocked) return 409;
    this.account = "active";
    if (!monthly || monthly.state === "cancelled") return 200;
    const over = monthly.paidUntil <= this.today;
    Object.assign(monthly, {
      state: "active",
      next: over ? this.today + 3 : monthly.paidUntil,
      declinedSince: null,
      forGood: false,
      openUntil: over ? Math.max(monthly.openUntil, this.today + 6) : monthly.openUntil,
    });
    return 200;
  }

  private charge(): Outcome {
    const outcome = this.staged.shift() ?? "approve";
    if (outcome === "approve") this.charges++;
    return outcome;
  }

  private renewed(): void {
    const { monthly } = this;
    if (!monthly) return;
    const onTime = this.today < monthly.paidUntil + 1;
    const paidUntil = (onTime ? monthly.paidUntil : this.today) + 30;
    Object.assign(monthly, {
      state: "active",
      paidUntil,
      next: paidUntil,
      declinedSince: null,
      forGood: false,
      openUntil: 0,
    });
    this.account = "active";
  }

  private hold(): void {
    Object.assign(this.monthly ?? {}, { state: "on_hold", next: null, openUntil: 0 });
    if (this.monthly) this.monthly.declinedSince ??= this.today;
    this.account = "on_hold";
  }

  private stop(): void {
    const { monthly } = this;
    if (!monthly) return;
    if (monthly.state === "on_hold" && monthly.declinedSince !== null) this.account = "active";
    Object.assign(monthly, { state: "cancelled", next: null, declinedSince: null, forGood: false, openUntil: 0 });
  }

  /** What a cancelled month has left stays open when another one is bought. */
  private keepPaid(): void {
    if (this.monthly) this.grants.push({ tier: "basic", until: this.monthly.paidUntil });
  }
}
