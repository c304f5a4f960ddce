import type { Tier } from "#contract/tiers.ts";
import { accessOf } from "#server/access/access.ts";
import { endGift, setTierByAdministrator } from "#server/access/grants.ts";
import { audited, differences, recordAudit } from "#server/audit/audit.ts";
import { invalidFields, Refusal } from "#server/base/refusal.ts";
import { isCoach } from "#server/coaching/overview.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { countSessionsOf, endSessionsOf } from "#server/identity/sessions/sessions.ts";
import { isRoot, liveUserById, lockLiveUser, lockTeam, roleOf, type User, userById } from "#server/identity/users.ts";
import { deleteAccount } from "#server/profile/delete-account.ts";
import { periodEnd } from "#server/purchases/periods.ts";
import {
  cancelActive,
  endSubscriptionForGift,
  holdAccount,
  type Reactivated,
  reactivateAccount,
  returnToHold,
  suspendAccount,
} from "#server/subscriptions/subscriptions.ts";
import { findSubscriptionStates, listClosedBySupport, snapshotOf } from "./queries.ts";
import { changesTier, mayManage, mayReopen } from "./rules.ts";

export interface UserAction {
  /** The id of the action, where it must not happen twice. */
  readonly id?: string | undefined;
  readonly actor: User;
  readonly userId: string;
  readonly reason: string | undefined;
}

/**
 * Puts a user on a tier until `endsAt` (null: for good; undefined: as long as its plan lasts). A subscription
 * of another tier is cancelled, and one of the same tier when this one never ends.
 * @throws Refusal not-found, invalid-input for an end that has passed, conflict when it would give nothing new.
 */
export async function setTier(
  ctx: Context,
  action: UserAction,
  { tier, endsAt: end }: { tier: Tier; endsAt: Date | null | undefined },
): Promise<void> {
  await actOnUser(ctx, action, "change tier", async (tx, now) => {
    const gift = { tier, endsAt: end === undefined ? periodEnd(tier, now) : end };
    if (gift.endsAt !== null && gift.endsAt <= now) {
      throw invalidFields({ endsAt: ["Is in the past"] });
    }
    if (!changesTier(await accessOf(tx, action.userId, now), gift)) {
      throw new Refusal("conflict", "This user has that tier already, for at least as long.");
    }
    const reason = action.reason ?? null;
    await setTierByAdministrator(tx, { userId: action.userId, ...gift, reason, actionId: action.id ?? newId() }, now);
    await endSubscriptionForGift(tx, action.userId, gift, now);
  });
}

/**
 * Ends what `setTier` gave under the id of that action.
 * @throws Refusal not-found; conflict when it has changed since
 */
export async function takeBackTier(ctx: Context, action: UserAction, givenBy: string): Promise<void> {
  await actOnUser(ctx, action, "take back plan", (tx, now) =>
    endGift(tx, { userId: action.userId, actionId: givenBy }, now),
  );
}

/** Cancels the named subscription, or the one that renews. @throws Refusal not-found, conflict. */
export async function cancel(ctx: Context, action: UserAction, subscriptionId?: string): Promise<void> {
  const where = { userId: action.userId, ...(subscriptionId !== undefined && { subscriptionId }) };
  await actOnUser(ctx, action, "cancel subscription", (tx, now) => cancelActive(tx, where, now));
}

/** @throws Refusal not-found, conflict, also for one's own account. */
export async function hold(ctx: Context, action: UserAction, subscriptionId: string): Promise<void> {
  requireAnother(action, "You cannot place your own account on hold.");
  const where = { userId: action.userId, subscriptionId };
  await closeAccount(ctx, action, "hold account", (tx, now) => holdAccount(tx, where, action.reason ?? null, now));
}

/**
 * Closes the course to a user, and the administration to one of the team.
 * @throws Refusal not-found, conflict, also for one's own account, not-allowed for those whom the actor's role does not reach.
 */
export async function suspend(ctx: Context, action: UserAction & { readonly reason: string }): Promise<void> {
  requireAnother(action, "You cannot suspend your own account.");
  await closeAccount(ctx, action, "suspend account", (tx, now) =>
    suspendAccount(tx, action.userId, action.reason, now),
  );
}

/**
 * Ends the suspension of an account that was on hold before, for the reason that it had then.
 * @throws Refusal not-found, conflict, not-allowed for those whom the actor's role does not reach.
 */
export async function holdAgain(ctx: Context, action: UserAction, heldFor: string | null): Promise<void> {
  await closeAccount(ctx, action, "hold account", (tx, now) => returnToHold(tx, action.userId, heldFor, now));
}

/** Reactivates an account without a charge. @throws Refusal not-found, conflict, not-allowed. */
export async function reactivate(ctx: Context, action: UserAction): Promise<Reactivated> {
  let reactivated: Reactivated = "opened";
  const change = async (tx: Db, now: Date) => {
    reactivated = await reactivateAccount(tx, action.userId, now);
  };
  await actOnUser(ctx, action, "reactivate account", change, async (tx) => {
    await requireMayManage(ctx, tx, action, "open");
    const { actor, userId } = action;
    const isClosedBySupport = (await listClosedBySupport(tx, [userId])).has(userId);
    const isUnpaid = (await findSubscriptionStates(tx, [userId])).get(userId)?.isUnpaid ?? false;
    if (mayReopen(roleOf(ctx, actor), { isClosedBySupport, isUnpaid })) return;
    throw new Refusal("not-allowed", "Ask an administrator. Support can only reopen accounts that support has closed.");
  });
  return reactivated;
}

/** @throws Refusal not-found. */
export async function signOutEverywhere(ctx: Context, { actor, userId, reason }: UserAction): Promise<void> {
  await audited(ctx, { actor, action: "sign out everywhere", subject: userId, reason }, async (tx, now) => {
    if (actor.id !== userId) await requireMayManage(ctx, tx, { actor, userId }, "close");
    await lockLiveUser(tx, userId);
    const before = { sessions: await countSessionsOf(tx, userId, now) };
    await endSessionsOf(tx, userId, now);
    return { before, after: { sessions: 0 } };
  });
}

/**
 * Erases a user and records it, in one transaction. Calls to the gateway come before it.
 * @throws Refusal not-found; conflict for one's own account; last-administrator; payment-in-progress
 */
export async function remove(ctx: Context, action: UserAction): Promise<void> {
  const { actor, userId, reason } = action;
  requireAnother(action, "You cannot delete your own account here. Your profile page can.");
  const user = await liveUserById(ctx.db, userId);
  await ctx.db.transaction((tx) => requireMayManage(ctx, tx, action, "close"));
  const before = await snapshotOf(ctx.db, userId);
  await deleteAccount(ctx, user, async (tx, now) => {
    const change = differences(before, await snapshotOf(tx, userId));
    await recordAudit(tx, { actor: actor.id, action: "delete account", subject: userId, ...change, reason }, now);
  });
}

async function actOnUser(
  ctx: Context,
  { id, actor, userId, reason }: UserAction,
  action: string,
  change: (tx: Db, now: Date) => Promise<unknown>,
  requireFirst: (tx: Db) => Promise<void> = async () => {},
): Promise<void> {
  await audited(ctx, { id, actor, action, subject: userId, reason }, async (tx, now) => {
    await requireFirst(tx);
    await lockLiveUser(tx, userId);
    const before = await snapshotOf(tx, userId);
    await change(tx, now);
    return differences(before, await snapshotOf(tx, userId));
  });
}

function closeAccount(
  ctx: Context,
  action: UserAction,
  name: string,
  change: (tx: Db, now: Date) => Promise<unknown>,
): Promise<void> {
  return actOnUser(ctx, action, name, change, (tx) => requireMayManage(ctx, tx, action, "close"));
}

/**
 * Locks the team and checks again whether the actor may manage the person: of two who act on each other at once the
 * second must fail.
 * @throws Refusal not-allowed.
 */
async function requireMayManage(
  ctx: Context,
  tx: Db,
  { actor, userId }: Pick<UserAction, "actor" | "userId">,
  to: "close" | "open",
): Promise<void> {
  const team = await lockTeam(ctx, tx);
  const now = team.find(({ id }) => id === actor.id);
  const user = await userById(tx, userId);
  const target = { isRoot: isRoot(ctx, user), role: user.role, isCoach: await isCoach(tx, userId) };
  if (mayManage(now ? roleOf(ctx, now) : null, target, to)) return;
  throw new Refusal(
    "not-allowed",
    target.isRoot
      ? "This address is one of ADMIN_EMAILS, which nothing in the academy locks out."
      : "This account is of the team: only an owner may do this to it.",
  );
}

function requireAnother({ actor, userId }: UserAction, message: string): void {
  if (actor.id === userId) throw new Refusal("conflict", message);
}
