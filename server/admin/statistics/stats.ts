import type { AdminStats, Waiting } from "#contract/admin/statistics.ts";
import { dollarsOf } from "#contract/money.ts";
import type { Permission } from "#contract/permissions.ts";
import { countDrafts } from "#server/catalogue/content.ts";
import { countDueReviews } from "#server/catalogue/reviews.ts";
import { countContacts } from "#server/contact/administration.ts";
import type { Context } from "#server/context/context.ts";
import { countOpenDiscrepancies } from "#server/discrepancies/discrepancies.ts";
import { type User, userMay } from "#server/identity/users.ts";
import { countQuestionsToReview } from "#server/questions/administration.ts";
import { countEverything } from "./queries.ts";

export async function describeStats(ctx: Context): Promise<AdminStats> {
  const { revenueCents, ...counts } = await countEverything(ctx.db);
  return {
    ...counts,
    totalRevenue: dollarsOf(revenueCents),
    openDiscrepancies: await countOpenDiscrepancies(ctx.db),
  };
}

/** Null for what the user's role may not see. */
export async function describeWaiting(ctx: Context, user: User): Promise<Waiting> {
  const ifMay = async (permission: Permission, count: () => Promise<number>) =>
    userMay(ctx, user, permission) ? count() : null;
  const [messages, questions, drafts, reviews, discrepancies] = await Promise.all([
    ifMay("messages:answer", async () => (await countContacts(ctx, { state: "unanswered" })).total),
    ifMay("questions:answer", () => countQuestionsToReview(ctx.db)),
    ifMay("content:write", () => countDrafts(ctx.db)),
    ifMay("content:write", () => countDueReviews(ctx)),
    ifMay("money:read", () => countOpenDiscrepancies(ctx.db)),
  ]);
  return { messages, questions, drafts, reviews, discrepancies };
}
