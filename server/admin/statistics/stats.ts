import type { AdminStats } from "#contract/admin/statistics.ts";
import type { Context } from "#server/context/context.ts";
import { countOpenDiscrepancies } from "#server/discrepancies/discrepancies.ts";
import { countEverything } from "./queries.ts";

export async function describeStats(ctx: Context): Promise<AdminStats> {
  const [row, openDiscrepancies] = await Promise.all([countEverything(ctx.db), countOpenDiscrepancies(ctx.db)]);
  return {
    totalUsers: row.total_users,
    totalRevenue: row.revenue_cents / 100,
    activeSubscriptions: row.active_subscriptions,
    totalContacts: row.total_contacts,
    newContacts: row.new_contacts,
    declinedSubscriptions: row.declined_subscriptions,
    blockedAccounts: row.blocked_accounts,
    openDiscrepancies,
  };
}
