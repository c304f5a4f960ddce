import fc from "fast-check";
import type { SequenceName } from "#contract/admin/sequences.ts";
import type { Tier } from "#contract/tiers.ts";

// People whose lives are written in advance, and which emails of sequences they get: by their lives alone, on paper.

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export type LifeEvent = { readonly at: number } & (
  | { readonly kind: "quote" }
  | { readonly kind: "buy"; readonly tier: Tier }
  /** A payment without a known outcome, until it is declined. */
  | { readonly kind: "pay" | "decline" }
  | { readonly kind: "watch"; readonly position: number }
  | { readonly kind: "cancel" | "refund" | "unsubscribe" | "block" | "unblock" }
);

export interface Life {
  readonly id: string;
  readonly email: string;
  /** Null: the academy's counts. */
  readonly timeZone: string | null;
  readonly isConfirmed: boolean;
  readonly events: readonly LifeEvent[];
}

export interface PaperEmail {
  readonly userId: string;
  readonly sequence: SequenceName;
  readonly step: number;
  readonly at: number;
  readonly isControl: boolean;
}

const zones = ["America/New_York", "Pacific/Auckland", "Asia/Kolkata", "Europe/Berlin", "America/St_Johns", null];
const periods: Record<Tier, number> = { basic: 30 * DAY, premium: 365 * DAY, vip: 100_000 * DAY };

/** Minutes are 50, so that nothing falls due at the instant of a run, which is at minute 20. */
export function livesFrom(
  start: number,
  { people, days, seed }: { people: number; days: number; seed: number },
): Life[] {
  const hours = (min: number, max: number) => fc.integer({ min, max });
  const life = fc.record({
    zone: fc.constantFrom(...zones),
    isConfirmed: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
    begins: hours(1, (days - 12) * 24),
    kind: fc.constantFrom("looks", "looks", "pays", "buys", "buys", "subscribes", "subscribes"),
    tier: fc.constantFrom<Tier>("premium", "vip"),
    wait: hours(2, 8 * 24),
    watches: fc.array(hours(6, 15 * 24), { maxLength: 5 }),
    quotes: fc.array(hours(30, 5 * 24), { maxLength: 2 }),
    fate: fc.constantFrom("none", "none", "none", "none", "none", "buy", "refund", "unsubscribe", "block"),
    fateAfter: hours(3, 12 * 24),
  });
  const drawn = fc.sample(life, { numRuns: people, seed });
  return drawn.map(({ zone, isConfirmed, begins, kind, tier, wait, watches, quotes, fate, fateAfter }, n) => {
    const time = (after: number) => start + (begins + after) * HOUR + 50 * 60_000;
    const events: LifeEvent[] = [{ at: time(0), kind: "quote" }];
    for (const hour of sums(quotes, 0)) events.push({ at: time(hour), kind: "quote" });
    if (kind === "pays") {
      events.push({ at: time(wait), kind: "pay" }, { at: time(wait + 40), kind: "decline" });
    } else if (kind !== "looks") {
      events.push({ at: time(wait), kind: "buy", tier: kind === "subscribes" ? "basic" : tier });
      for (const hour of sums(watches, wait)) events.push({ at: time(hour), kind: "watch", position: 60 + hour });
      if (kind === "subscribes") events.push({ at: time(wait + 29 * 24), kind: "cancel" });
    }
    const isBuyer = kind === "buys" || kind === "subscribes";
    if (fate === "buy" && !isBuyer) events.push({ at: time(wait + 41 + fateAfter), kind: "buy", tier });
    if (fate === "refund" && isBuyer) events.push({ at: time(wait + fateAfter), kind: "refund" });
    if (fate === "unsubscribe") events.push({ at: time(fateAfter), kind: "unsubscribe" });
    if (fate === "block") {
      events.push({ at: time(fateAfter), kind: "block" }, { at: time(fateAfter + 60), kind: "unblock" });
    }
    const id = `life-${String(n).padStart(4, "0")}`;
    return {
      ...{ id, email: `${id}@example.test`, timeZone: zone ?? null, isConfirmed },
      // After a refund, nobody watches.
      events: events
        .filter((one) => one.kind !== "watch" || fate !== "refund" || one.at < time(wait + fateAfter))
        .toSorted((a, b) => a.at - b.at),
    };
  });
}

function sums(gaps: readonly number[], from: number): number[] {
  return gaps.map((_, at) => from + gaps.slice(0, at + 1).reduce((sum, gap) => sum + gap, 0));
}

export interface Opening {
  readonly at: number;
  readonly tier: Tier;
}

const ranks: Record<Tier, number> = { basic: 1, premium: 2, vip: 3 };
const order: readonly SequenceName[] = [
  "unfinished-checkout",
  "paying-for-nothing",
  "new-lesson",
  "welcome",
  "stalled",
];
const steps: Record<SequenceName, readonly number[]> = {
  "unfinished-checkout": [1, 5],
  "paying-for-nothing": [0],
  "new-lesson": [0],
  welcome: [0, 3, 7],
  stalled: [0, 7, 14],
};

/** The emails of all runs. */
export function paperEmails(
  lives: readonly Life[],
  {
    runs,
    since,
    openings,
    academyZone,
    isControl,
  }: {
    readonly runs: readonly number[];
    readonly since: number;
    readonly openings: readonly Opening[];
    readonly academyZone: string;
    readonly isControl: (userId: string, sequence: SequenceName) => boolean;
  },
): PaperEmail[] {
  const emails: PaperEmail[] = [];
  const remindersOf = (userId: string, now: number) =>
    emails.filter((one) => one.userId === userId && one.sequence === "stalled" && one.at > now - 30 * DAY).length;
  for (const life of lives) {
    const got = new Set<string>();
    let lastAt = Number.NEGATIVE_INFINITY;
    for (const now of runs) {
      if (!isDaytime(now, life.timeZone ?? academyZone)) continue;
      for (const sequence of order) {
        for (const [step, days] of steps[sequence].entries()) {
          for (const begun of beginnings(sequence, life, now, openings)) {
            const key = `${sequence} ${step} ${begun.occasion}`;
            const due = begun.at + days * DAY;
            if (begun.at <= since || due > now || now >= due + 3 * DAY) continue;
            if (got.has(key) || now - lastAt < 23.5 * HOUR) continue;
            if (sequence === "stalled" && begun.occasion !== "none" && remindersOf(life.id, now) >= 3) continue;
            got.add(key);
            const email = { userId: life.id, sequence, step, at: now, isControl: isControl(life.id, sequence) };
            if (!email.isControl) lastAt = now;
            emails.push(email);
          }
        }
      }
    }
  }
  return emails;
}

/** By zone. The model asks millions of times, and each format holds memory that the engine does not count. */
const hoursIn = new Map<string, Intl.DateTimeFormat>();

export function isDaytime(at: number, timeZone: string): boolean {
  const format =
    hoursIn.get(timeZone) ?? new Intl.DateTimeFormat("en-US", { hour: "2-digit", hourCycle: "h23", timeZone });
  hoursIn.set(timeZone, format);
  const hour = Number(format.format(at));
  return hour >= 9 && hour < 18;
}

function beginnings(sequence: SequenceName, { events, isConfirmed }: Life, now: number, openings: readonly Opening[]) {
  const past = events.filter(({ at }) => at <= now);
  const last = (...kinds: string[]) => past.findLast(({ kind }) => kinds.includes(kind));
  if (!isConfirmed || last("unsubscribe") || last("block", "unblock")?.kind === "block") return [];
  if (last("buy", "refund")?.kind === "refund") return [];
  const buys = past.flatMap((one) => (one.kind === "buy" ? [one] : []));
  const open = buys.filter(({ at, tier }) => at + periods[tier] > now);
  const watched = last("watch");
  if (sequence === "unfinished-checkout") {
    const quote = last("quote");
    return quote && buys.length === 0 && last("pay", "decline")?.kind !== "pay" ? [{ at: quote.at, occasion: "" }] : [];
  }
  const [bought] = open;
  if (!bought) return [];
  if (sequence === "welcome") return [{ at: bought.at, occasion: bought.tier }];
  if (sequence === "new-lesson") {
    return openings
      .filter(({ at, tier }) => at <= now && bought.at <= at && ranks[bought.tier] >= ranks[tier])
      .map(({ at }) => ({ at, occasion: String(at) }));
  }
  if (sequence === "stalled") {
    if (!watched) return [{ at: bought.at + 3 * DAY, occasion: "none" }];
    return [{ at: watched.at + 7 * DAY, occasion: String(watched.at) }];
  }
  const renewsAt = bought.at + periods.basic;
  const isUsed = watched && watched.at >= bought.at;
  return bought.tier === "basic" && !last("cancel") && !isUsed ? [{ at: renewsAt - 5 * DAY, occasion: "" }] : [];
}
