import type { grantAccess } from "#contract/admin/grants.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import { accessOf } from "#server/access/access.ts";
import { notFound } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { idFor } from "#server/db/id.ts";
import { findUserByEmail, type User, unconfirmed } from "#server/identity/users.ts";
import { addTier } from "#server/subscriptions/accounts.ts";

/**
 * Once for a body and key: a tool that sends the same key with everybody must not leave them out.
 * @param key today, where the tool has none
 * @throws Refusal not-found; conflict for an address that nobody has confirmed, and where it would end a membership; invalid-input for an end that has passed.
 */
export async function giveAccess(ctx: Context, actor: User, body: BodyOf<typeof grantAccess>, key?: string) {
  const { tier, until, reason } = body;
  const userId = body.userId ?? (await findConfirmed(ctx, body.email ?? ""));
  const today = ctx.clock.now().toISOString().slice(0, 10);
  const id = idFor("grant", actor.token?.id ?? actor.id, key ?? today, JSON.stringify(body));
  const gift = { tier, endsAt: typeof until === "string" ? new Date(until) : until };
  const isNew = await addTier(ctx, { id, actor, userId, reason }, gift);
  const access = await accessOf(ctx.db, userId, ctx.clock.now());
  return { isNew, userId, tier: access.tier, until: access.until?.toISOString() ?? null };
}

async function findConfirmed({ db }: Context, email: string): Promise<string> {
  const user = await findUserByEmail(db, email);
  if (!user) throw notFound("account with this address");
  if (!user.emailVerified) throw unconfirmed();
  return user.id;
}
