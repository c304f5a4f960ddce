import { eq } from "drizzle-orm";
import { accessOf, isBlocked } from "#server/access/access.ts";
import { setTierByAdministrator } from "#server/access/grants.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { newId } from "#server/db/id.ts";
import { lockTeam } from "#server/identity/team.ts";
import { lockUser, type User, userMay } from "#server/identity/users.ts";
import { periodEnd } from "#server/purchases/periods.ts";
import { endSubscriptionForGift } from "#server/subscriptions/subscriptions.ts";
import { type InvitationRow, isToRole, lockOpenInvitation } from "./invitations.ts";
import { invitations } from "./tables.ts";
import { giveInvitedRole } from "./team/team.ts";

/**
 * Accepts once, also for two simultaneous requests.
 * @throws Refusal not-found, account-blocked, already-owned, conflict.
 */
export async function acceptInvitation(
  ctx: Context,
  { id: userId, emailVerified }: User,
): Promise<Pick<InvitationRow, "tier" | "role">> {
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const team = await lockTeam(ctx, tx);
    const user = await lockUser(tx, userId);
    // A session from before the confirmation may belong to somebody who merely typed the address.
    const found = user.emailVerified && emailVerified ? await lockOpenInvitation(tx, user.email, now) : null;
    if (!found) throw notFound("invitation for your address");
    if (isBlocked(user.accountStatus)) {
      throw new Refusal(
        "account-blocked",
        "Your account is on hold or suspended, so you can't accept the invitation. Please contact us.",
      );
    }
    const { tier, role } = found;
    if (tier && (await accessOf(tx, userId, now)).tier !== null) {
      throw new Refusal("already-owned", "You already have access to the course. Your invitation stays valid.");
    }
    const author = team.find(({ id }) => id === found.authorId);
    if (tier && !(author && userMay(ctx, author, "access:give"))) {
      const why = "The person who invited you can't give plans anymore. Ask us for another invitation.";
      throw new Refusal("conflict", why);
    }
    await tx.update(invitations).set({ acceptedAt: now }).where(eq(invitations.id, found.id));
    if (tier) {
      const reason = "Accepted an invitation";
      const gift = { userId, tier, endsAt: periodEnd(tier, now), reason, actionId: newId() };
      await setTierByAdministrator(tx, gift, now);
      await endSubscriptionForGift(tx, userId, gift, now);
    }
    if (isToRole(found)) await giveInvitedRole(ctx, tx, user, found, now);
    return { tier, role };
  });
}
