import type { Money, MoneyFigures, MoneyQuery } from "#contract/admin/statistics.ts";
import { dollarsOf } from "#contract/money.ts";
import { tierRank } from "#contract/tiers.ts";
import type { Context } from "#server/context/context.ts";
import { academyZone } from "#server/settings/settings.ts";
import { periodsOf, spanOf, sum } from "./periods.ts";
import { countDeclinedRenewals, countRecoveries, countSubscriptionMoves, sumCharges, sumRefunds } from "./queries.ts";

/**
 * Revenue, refunds, subscriptions, declines and recoveries by period, from the payments themselves.
 * @throws Refusal invalid-input for dates that make no span.
 */
export async function describeMoney(ctx: Context, query: MoneyQuery): Promise<Money> {
  const now = ctx.clock.now();
  const span = periodsOf(query, now, await academyZone(ctx.db));
  const [charges, recoveries, refunds, declines, moves] = await Promise.all([
    sumCharges(ctx.db, span),
    countRecoveries(ctx.db, span),
    sumRefunds(ctx.db, span),
    countDeclinedRenewals(ctx.db, span),
    countSubscriptionMoves(ctx.db, span, now),
  ]);

  let [subscriptions, mrrCents] = [0, 0];
  const follow = (start: string) => {
    const move = moves.find((one) => one.start === start);
    subscriptions += (move?.began ?? 0) - (move?.ended ?? 0);
    mrrCents += move?.cents ?? 0;
    return { newSubscriptions: move?.began ?? 0, lostSubscriptions: move?.ended ?? 0 };
  };
  follow("");
  const periods = span.starts.map((start) => {
    const charged = charges.filter((row) => row.start === start);
    const refund = refunds.find((row) => row.start === start);
    const decline = declines.find((row) => row.start === start);
    const counted = {
      charged: sum(charged, "cents"),
      charges: sum(charged, "charges"),
      refunded: refund?.cents ?? 0,
      refunds: refund?.refunds ?? 0,
      declines: decline?.declines ?? 0,
      recoveries: recoveries.find((row) => row.start === start)?.recoveries ?? 0,
      ...follow(start),
    };
    return { start, ...counted, subscriptions, mrr: mrrCents };
  });
  const last = periods.at(-1);
  return {
    ...spanOf(span),
    total: inDollars(addUp(periods)),
    mrr: dollarsOf(last?.mrr ?? 0),
    subscriptions: last?.subscriptions ?? 0,
    periods: periods.map((period) => ({ ...period, ...inDollars(period), mrr: dollarsOf(period.mrr) })),
    plans: byPlan(charges),
  };
}

function byPlan(charges: Awaited<ReturnType<typeof sumCharges>>): Money["plans"] {
  const plans = [...Map.groupBy(charges, ({ tier }) => tier)].map(([tier, rows]) => ({
    tier,
    planName: rows[0]?.plan ?? "",
    purchases: sum(rows, "purchases"),
    charged: dollarsOf(sum(rows, "cents")),
  }));
  return plans.toSorted((one, other) => tierRank(one.tier) - tierRank(other.tier));
}

type Counted = Omit<MoneyFigures, "revenue">;

function inDollars(counted: Counted): MoneyFigures {
  return {
    ...counted,
    charged: dollarsOf(counted.charged),
    refunded: dollarsOf(counted.refunded),
    revenue: dollarsOf(counted.charged - counted.refunded),
  };
}

function addUp(periods: readonly Counted[]): Counted {
  const total = (figure: keyof Counted) => sum(periods, figure);
  return {
    charged: total("charged"),
    charges: total("charges"),
    refunded: total("refunded"),
    refunds: total("refunds"),
    newSubscriptions: total("newSubscriptions"),
    lostSubscriptions: total("lostSubscriptions"),
    declines: total("declines"),
    recoveries: total("recoveries"),
  };
}
