import { type Tier, tierRank } from "#contract/tiers.ts";
import { accessOf } from "#server/access/access.ts";
import { announceAccess } from "#server/access/access-events.ts";
import { endGift, recordGrant, setTierByAdministrator } from "#server/access/grants.ts";
import { actorOf, audited, differences, hasAuditEntry, recordAudit } from "#server/audit/audit.ts";
import { after } from "#server/base/clock.ts";
import { invalidFields, Refusal } from "#server/base/refusal.ts";
import { isCoach } from "#server/coaching/overview.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { recordEvent } from "#server/deliveries/events.ts";
import { announceEnd, countSessionsOf, endSessionsOf } from "#server/identity/sessions/session-ends.ts";
import { lockTeam } from "#server/identity/team.ts";
import {
  isRoot,
  lockLiveUser,
  lockUser,
  roleOf,
  setAccountStatus,
  type User,
  userById,
} from "#server/identity/users.ts";
import { postEmail } from "#server/mail/student-emails.ts";
import { periodEnd } from "#server/purchases/periods.ts";
import { changesTier, includesTier, mayManage, mayReopen } from "./account-rules.ts";
import { findSubscriptionStates, listClosedBySupport, snapshotOf } from "./account-states.ts";
import { backAgainEmail, heldEmail, suspendedEmail } from "./emails.ts";
import { listSubscriptions, type Subscription, updateSubscription } from "./queries.ts";
import { closeForPayment, keepOpen, stateOf } from "./renewal-outcomes.ts";
import { advance, graceAhead, isRenewing, isStoppedOrDeclined, reactivationTime } from "./rules.ts";
import {
  cancelSubscription,
  endSubscriptionForGift,
  findEndedByGift,
  findSubscription,
  lockSubscription,
} from "./subscriptions.ts";

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
      throw new Refusal("conflict", "This student already has this plan for at least as long.");
    }
    const reason = action.reason ?? null;
    await setTierByAdministrator(tx, { userId: action.userId, ...gift, reason, actionId: action.id ?? newId() }, now);
    await endSubscriptionForGift(tx, action.userId, gift, now);
  });
}

/**
 * Gives a user a tier until `endsAt`, as `setTier`, and takes nothing away: no higher tier, and no subscription.
 * Nothing happens when the user has as much, or for an `id` that gave something before.
 * @returns whether it gave something
 * @throws Refusal not-found, invalid-input for an end that has passed, conflict where `setTier` would end a subscription.
 */
export async function addTier(
  ctx: Context,
  { id, actor, userId, reason }: UserAction & { readonly id: string },
  { tier, endsAt: end }: { tier: Tier; endsAt: Date | null | undefined },
): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    await lockLiveUser(tx, userId);
    const gift = { tier, endsAt: end === undefined ? periodEnd(tier, now) : end };
    if (gift.endsAt !== null && gift.endsAt <= now) throw invalidFields({ until: ["Is in the past"] });
    const has = await accessOf(tx, userId, now);
    if (includesTier(has, gift) || (await hasAuditEntry(tx, id))) return false;
    // Beside the gift the membership would go on charging, and only an administrator ends one.
    const isEnough = has.tier === null || tierRank(tier) >= tierRank(has.tier);
    if (isEnough && (await findEndedByGift(tx, userId, gift))) {
      const words = "This plan would end the student’s membership. An administrator can give it on the student’s page.";
      throw new Refusal("conflict", words);
    }
    const before = await snapshotOf(tx, userId);
    const source = { source: "administrator", sourceId: id, purchaseId: null } as const;
    await recordGrant(tx, { userId, ...gift, ...source, startsAt: now, reason: reason ?? null }, now);
    const change = differences(before, await snapshotOf(tx, userId));
    await recordAudit(tx, { id, ...actorOf(actor), action: "change tier", subject: userId, reason, ...change }, now);
    return true;
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

/**
 * Cancels the named subscription, or the one that renews. A hold and its reason stay.
 * @throws Refusal not-found, conflict unless it is active.
 */
export async function cancelActive(ctx: Context, action: UserAction, subscriptionId?: string): Promise<void> {
  const where = { userId: action.userId, ...(subscriptionId !== undefined && { subscriptionId }) };
  await actOnUser(ctx, action, "cancel subscription", async (tx, now) => {
    const { subscription } = await lockSubscription(tx, where);
    if (!isRenewing(subscription)) {
      throw new Refusal("conflict", "You can only cancel an active subscription. This one is on hold or cancelled.");
    }
    await cancelSubscription(tx, where, now);
  });
}

/** Only for a subscription that renews and is not declined. @throws Refusal not-found, conflict, not-allowed. */
export async function holdAccount(ctx: Context, action: UserAction, subscriptionId: string): Promise<void> {
  requireAnother(action, "You cannot place your own account on hold.");
  const { userId, reason = null } = action;
  await closeAccount(ctx, action, "hold account", async (tx, now) => {
    const { subscription, student } = await lockSubscription(tx, { userId, subscriptionId });
    const held = advance(subscription, { cause: "held" }, now);
    if (student.accountStatus !== "active") throw new Refusal("conflict", "This account is already blocked.");
    const { id, purchaseId, planName } = subscription;
    await updateSubscription(tx, id, stateOf(held));
    await setAccountStatus(tx, userId, "on_hold", reason, now);
    await announceAccess(tx, userId, now);
    await recordEvent(tx, "subscription.held", { id, userId, purchaseId }, now);
    const occasion = `${purchaseId}:${now.toISOString()}`;
    await postEmail(tx, heldEmail, { userId, occasion, facts: { planName, reason } }, now);
  });
}

/**
 * Closes the course to a user, and the administration to one of the team.
 * @throws Refusal not-found, conflict, also for one's own account, not-allowed for those whom the actor's role does not reach.
 */
export async function suspendAccount(ctx: Context, action: UserAction & { readonly reason: string }): Promise<void> {
  requireAnother(action, "You cannot suspend your own account.");
  await closeAccount(ctx, action, "suspend account", (tx, now) => suspend(tx, action.userId, action.reason, now));
}

/** Blocks access in spite of payments. Nothing is charged meanwhile. @throws Refusal conflict. */
export async function suspend(tx: Db, userId: string, reason: string, now: Date): Promise<void> {
  const student = await lockUser(tx, userId);
  if (student.accountStatus === "suspended") throw new Refusal("conflict", "This account is already suspended.");
  await setAccountStatus(tx, userId, "suspended", reason, now);
  await announceAccess(tx, userId, now);
  await announceEnd(tx, userId, now);
  await postEmail(tx, suspendedEmail, { userId, occasion: now.toISOString(), facts: { reason } }, now);
}

/**
 * Ends the suspension of an account that was on hold before, for the reason that it had then.
 * @throws Refusal not-found, conflict, not-allowed for those whom the actor's role does not reach.
 */
export async function returnToHold(ctx: Context, action: UserAction, heldFor: string | null): Promise<void> {
  const { userId } = action;
  await closeAccount(ctx, action, "hold account", async (tx, now) => {
    const { accountStatus } = await lockUser(tx, userId);
    if (accountStatus !== "suspended") throw new Refusal("conflict", "This account isn’t suspended.");
    await setAccountStatus(tx, userId, "on_hold", heldFor, now);
    await announceAccess(tx, userId, now);
  });
}

/** opens-when-paid: the card is charged within the hour · unpaid: on hold until the student pays. */
export type Reactivated = "opened" | "opened-for-days" | "opens-when-paid" | "unpaid";

/**
 * Charges nothing now. What is unpaid opens for a few days, once before the next payment; else a suspension or an
 * administrator's hold ends, and the account waits for the payment.
 * @throws Refusal not-found, not-allowed; conflict, also when it waits for a payment already.
 */
export async function reactivateAccount(ctx: Context, action: UserAction): Promise<Reactivated> {
  const { actor, userId } = action;
  const requireMayOpen = async (tx: Db) => {
    await requireMayManage(ctx, tx, action, "open");
    const isClosedBySupport = (await listClosedBySupport(tx, [userId])).has(userId);
    const isUnpaid = (await findSubscriptionStates(tx, [userId])).get(userId)?.isUnpaid ?? false;
    if (mayReopen(roleOf(ctx, actor), { isClosedBySupport, isUnpaid })) return;
    throw new Refusal("not-allowed", "Ask an administrator. Support can only reopen accounts that support has closed.");
  };
  const change = (tx: Db, now: Date) => reactivate(tx, userId, now);
  return actOnUser(ctx, action, "reactivate account", change, requireMayOpen);
}

async function reactivate(tx: Db, userId: string, now: Date): Promise<Reactivated> {
  const { accountStatus } = await lockUser(tx, userId);
  const subscription = (await listSubscriptions(tx, userId)).find(({ status }) => status !== "cancelled");
  if (accountStatus === "active" && !(subscription && isStoppedOrDeclined(subscription))) {
    throw new Refusal("conflict", "This account is active and has no declined payment.");
  }
  const reactivated = subscription ? advance(subscription, { cause: "reactivated" }, now) : null;
  const isUnpaid = reactivated?.status === "on_hold";
  if (isUnpaid && subscription?.status === "on_hold" && accountStatus !== "suspended") throw usedUp();
  await setAccountStatus(tx, userId, "active", null, now);
  await announceAccess(tx, userId, now);
  if (subscription && reactivated) await updateSubscription(tx, subscription.id, stateOf(reactivated));
  if (subscription && isUnpaid) {
    const occasion = `reactivated:${now.toISOString()}`;
    await closeForPayment(tx, subscription, { wasDeclined: false, occasion }, now);
    return "unpaid";
  }
  if (subscription && isStoppedOrDeclined(subscription)) {
    const { id, purchaseId } = subscription;
    await recordEvent(tx, "subscription.resumed", { id, userId, purchaseId }, now);
  }
  const isReopened = subscription !== undefined && (await keepReactivatedOpen(tx, subscription, reactivated, now));
  const { tier, until: accessUntil } = await accessOf(tx, userId, now);
  const nextPaymentAt = reactivated?.nextChargeAt ?? null;
  const isOpen = tier !== null || nextPaymentAt === null;
  const due = reactivated &&
    (reactivated.dunningSince !== null || !isOpen) && {
      amountCents: reactivated.price,
      isTriedAgain: !reactivated.declinedForGood,
      isOpen,
    };
  const planName = (await findSubscription(tx, userId, now))?.planName ?? null;
  const facts = { planName, nextPaymentAt, accessUntil, payment: null, ...(due && { due }) };
  await postEmail(tx, backAgainEmail, { userId, occasion: now.toISOString(), facts }, now);
  return isReopened ? "opened-for-days" : isOpen ? "opened" : "opens-when-paid";
}

/** The occasions name the paid end, so that none of them opens twice before the next payment. True for an unpaid one. */
async function keepReactivatedOpen(
  tx: Db,
  subscription: Subscription,
  reactivated: Subscription | null,
  now: Date,
): Promise<boolean> {
  const { currentPeriodEnd, graceFrom, reopenedUntil } = subscription;
  if (!reactivated?.nextChargeAt || currentPeriodEnd > now) return false;
  const paidEnd = currentPeriodEnd.toISOString();
  if (reactivated.reopenedUntil !== null && reactivated.reopenedUntil !== reopenedUntil) {
    const until = after(reactivated.reopenedUntil, graceAhead);
    await keepOpen(tx, subscription, { until, occasion: `reopened:${paidEnd}` }, now);
    return true;
  }
  if (reactivated.graceFrom !== graceFrom) {
    const until = after(reactivated.nextChargeAt, reactivationTime);
    await keepOpen(tx, subscription, { until, occasion: `reactivated:${paidEnd}` }, now);
  }
  return false;
}

function usedUp(): Refusal {
  return new Refusal(
    "conflict",
    "This account was reopened before without a payment. It opens again when the student pays with a card.",
  );
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

async function actOnUser<Result>(
  ctx: Context,
  { id, actor, userId, reason }: UserAction,
  action: string,
  change: (tx: Db, now: Date) => Promise<Result>,
  requireFirst: (tx: Db) => Promise<void> = async () => {},
): Promise<Result> {
  const { result } = await audited(ctx, { id, actor, action, subject: userId, reason }, async (tx, now) => {
    await requireFirst(tx);
    await lockLiveUser(tx, userId);
    const before = await snapshotOf(tx, userId);
    const result = await change(tx, now);
    return { ...differences(before, await snapshotOf(tx, userId)), result };
  });
  return result;
}

function closeAccount(
  ctx: Context,
  action: UserAction,
  name: string,
  change: (tx: Db, now: Date) => Promise<void>,
): Promise<void> {
  return actOnUser(ctx, action, name, change, (tx) => requireMayManage(ctx, tx, action, "close"));
}

/**
 * Locks the team and checks again whether the actor may manage the person: of two who act on each other at once the
 * second must fail.
 * @throws Refusal not-allowed.
 */
export async function requireMayManage(
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
      ? "The server’s configuration makes this address an owner. It can’t be locked out here."
      : "This account belongs to your team. Only an owner can do this.",
  );
}

export function requireAnother({ actor, userId }: Pick<UserAction, "actor" | "userId">, message: string): void {
  if (actor.id === userId) throw new Refusal("conflict", message);
}
