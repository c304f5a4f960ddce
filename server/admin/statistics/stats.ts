import type { AdminStats } from "#contract/admin/statistics.ts";
import { dollarsOf } from "#contract/money.ts";
import type { Context } from "#server/context/context.ts";
import { countOpenDiscrepancies } from "#server/discrepancies/discrepancies.ts";
import { countEverything } from "./queries.ts";

export async function describeStats(ctx: Context): Promise<AdminStats> {
  const { revenueCents, ...counts } = await countEverything(ctx.db);
  return {
    ...counts,
    totalRevenue: dollarsOf(revenueCents),
    openDiscrepancies: await countOpenDiscrepancies(ctx.db),
  };
}
