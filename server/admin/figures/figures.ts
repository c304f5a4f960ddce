import type { Funnel, FunnelFigures, LifetimeValue, Retention, SignUps } from "#contract/admin/figures.ts";
import type { MoneyQuery } from "#contract/admin/statistics.ts";
import { tierRank } from "#contract/tiers.ts";
import { allMonths, periodsOf, spanOf, sum } from "#server/admin/statistics/periods.ts";
import type { Context } from "#server/context/context.ts";
import { academyZone } from "#server/settings/settings.ts";
import {
  countConversions,
  countFirstSubmissions,
  countPaidPeriods,
  countSignUps,
  countVisits,
  findFirstCountedDay,
  sumByFirstPayment,
} from "./queries.ts";
import { keptOf, lifetimeValueOf } from "./rules.ts";

/** How many periods after the first retention shows. */
const maxPeriods = 12;

/** @throws Refusal invalid-input for dates that make no span. */
export async function describeSignUps(ctx: Context, query: MoneyQuery): Promise<SignUps> {
  const span = periodsOf(query, ctx.clock.now(), await academyZone(ctx.db));
  const counted = new Map((await countConversions(ctx.db, span)).map((row) => [row.start, row]));
  const periods = span.starts.map((start) => ({ signUps: 0, paid: 0, ...counted.get(start), start }));
  const total = { signUps: sum(periods, "signUps"), paid: sum(periods, "paid") };
  return { ...spanOf(span), total, periods };
}

/** @throws Refusal invalid-input for dates that make no span. */
export async function describeFunnel(ctx: Context, query: MoneyQuery): Promise<Funnel> {
  const span = periodsOf(query, ctx.clock.now(), await academyZone(ctx.db));
  const [visits, signUps, submissions, countedFrom] = await Promise.all([
    countVisits(ctx.db, span),
    countSignUps(ctx.db, span),
    countFirstSubmissions(ctx.db, span),
    findFirstCountedDay(ctx.db),
  ]);
  const made = new Map(signUps.map((row) => [row.start, row.signUps]));
  const submitted = new Map(submissions.map((row) => [row.start, row]));
  const opened = new Map(visits.map(({ start, step, visits }) => [`${start} ${step}`, visits]));
  const periods = span.starts.map((start) => {
    const count = (step: (typeof visits)[number]["step"]) => opened.get(`${start} ${step}`) ?? 0;
    const account = (made.get(start) ?? 0) + count("sign-in");
    const { card = 0, paid = 0 } = submitted.get(start) ?? {};
    return { start, landing: count("landing"), plan: count("plan"), account, card, paid };
  });
  const total = (step: keyof FunnelFigures) => sum(periods, step);
  return {
    ...spanOf(span),
    countedFrom,
    total: {
      landing: total("landing"),
      plan: total("plan"),
      account: total("account"),
      card: total("card"),
      paid: total("paid"),
    },
    periods,
  };
}

export async function describeRetention(ctx: Context): Promise<Retention> {
  const now = ctx.clock.now();
  const rows = await countPaidPeriods(ctx.db, allMonths(now, await academyZone(ctx.db)), maxPeriods, now);
  const cohorts = [...Map.groupBy(rows, ({ month }) => month)].map(([month, counts]) => ({
    ...{ month, students: sum(counts, "students"), kept: keptOf(counts) },
  }));
  return { cohorts: newestFirst(cohorts) };
}

export async function describeLifetimeValue(ctx: Context): Promise<LifetimeValue> {
  const rows = await sumByFirstPayment(ctx.db, allMonths(ctx.clock.now(), await academyZone(ctx.db)));
  const plans = [...Map.groupBy(rows, ({ plan }) => plan).values()].flatMap((ofPlan) => {
    const [first] = ofPlan;
    return first ? [{ tier: first.tier, planName: first.plan, ...lifetimeValueOf(ofPlan) }] : [];
  });
  const cohorts = [...Map.groupBy(rows, ({ month }) => month)].map(([month, begun]) => ({
    month,
    ...lifetimeValueOf(begun),
  }));
  return {
    total: lifetimeValueOf(rows),
    plans: plans.toSorted((one, other) => tierRank(one.tier) - tierRank(other.tier)),
    cohorts: newestFirst(cohorts),
  };
}

function newestFirst<Row extends { readonly month: string }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) => (one.month < other.month ? 1 : -1));
}
