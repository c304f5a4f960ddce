import { and, eq, gt, isNull } from "drizzle-orm";
import type { CardChange, CardLink } from "#contract/purchases/subscriptions.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { RetentionRule } from "#server/db/retention.ts";
import type { Client } from "#server/http/client.ts";
import { userById } from "#server/identity/users.ts";
import { hasOpenAttempt } from "#server/payments/attempts.ts";
import type { PaymentContext } from "#server/payments/handlers.ts";
import { hashOfToken } from "./card-link-tokens.ts";
import { changeCard, type NewCard, requireCardAllowed } from "./new-card.ts";
import { findByPurchase } from "./queries.ts";
import { findSubscription, presentSubscription } from "./subscriptions.ts";
import { cardLinks } from "./tables.ts";

/** Reveals only the amount due and the card on file. @throws Refusal not-found, account-blocked. */
export async function describeCardLink(ctx: Context, token: string): Promise<CardLink> {
  const { link, subscription, student } = await followLink(ctx, token);
  const isConfirming = await hasOpenAttempt(ctx.db, student.id);
  const { planName, state, price, later, amountDue, paidUntil, accessUntil, card } = presentSubscription(
    subscription,
    student,
    isConfirming,
    ctx.clock.now(),
  );
  const expiresAt = link.expiresAt.toISOString();
  const { firstName } = student;
  return {
    ...{ planName, state, price, later, amountDue, paidUntil, accessUntil, isConfirming, card },
    ...{ firstName, expiresAt },
  };
}

/**
 * Works once, also for concurrent requests. A refusal does not use up the link.
 * @throws Refusal as `changeCard`, not-found.
 */
export async function changeCardByLink(
  ctx: PaymentContext,
  token: string,
  card: NewCard,
  client: Client,
): Promise<CardChange> {
  const { student, link } = await followLink(ctx, token);
  const isThis = eq(cardLinks.tokenHash, link.tokenHash);
  const taken = and(isThis, isNull(cardLinks.usedAt));
  const [mine] = await ctx.db.update(cardLinks).set({ usedAt: ctx.clock.now() }).where(taken).returning();
  if (!mine) throw noLongerValid();
  try {
    return await changeCard(ctx, student, card, client);
  } catch (error) {
    await ctx.db.update(cardLinks).set({ usedAt: null }).where(isThis);
    throw error;
  }
}

async function followLink(ctx: Context, token: string) {
  const now = ctx.clock.now();
  const [link] = await ctx.db
    .select()
    .from(cardLinks)
    .where(and(eq(cardLinks.tokenHash, hashOfToken(token)), isNull(cardLinks.usedAt), gt(cardLinks.expiresAt, now)));
  if (!link) throw noLongerValid();
  const userId = (await findByPurchase(ctx.db, link.purchaseId))?.userId ?? "";
  const subscription = await findSubscription(ctx.db, userId, now);
  // A link works only for its own subscription. Students who have cancelled, or bought another plan, must sign in.
  if (subscription?.purchaseId !== link.purchaseId || subscription.status === "cancelled") throw noLongerValid();
  const student = await userById(ctx.db, userId);
  await requireCardAllowed(ctx, student, subscription);
  return { link, subscription, student };
}

export const cardLinkRetention: RetentionRule = { table: cardLinks, from: cardLinks.expiresAt, keptFor: 0 };

function noLongerValid(): Refusal {
  return new Refusal(
    "not-found",
    "This link has already been used or has expired. Please sign in to change your card.",
  );
}
