import type { AdminStats } from "#contract/admin/statistics.ts";
import { dollarsOf } from "#contract/money.ts";
import type { Context } from "#server/context/context.ts";
import { countOpenDiscrepancies } from "#server/discrepancies/discrepancies.ts";
import { countEverything } from "./queries.ts";

export async function describeStats(ctx: Context): Promise<AdminStats> {
  const [row, openDiscrepancies] = await Promise.all([countEverything(ctx.db), countOpenDiscrepancies(ctx.db)]);
  return {
    totalUsers: row.total_users,
    totalRevenue: dollarsOf(row.revenue_cents),
    activeSubscriptions: row.active_subscriptions,
    totalContacts: row.total_contacts,
    newContacts: row.new_contacts,
    declinedSubscriptions: row.declined_subscriptions,
    blockedAccounts: row.blocked_accounts,
    openDiscrepancies,
  };
}
