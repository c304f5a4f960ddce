import type { SkipReason, UserSelection } from "#contract/admin/bulk-actions.ts";
import { maxPeople } from "#contract/admin/bulk-actions.ts";
import { Tier } from "#contract/tiers.ts";
import { computeAccess, isUntouchedGift, listGrantsNotOver, listGrantsOfMany } from "#server/access/access.ts";
import { type Candidate, countSelectedRows, listSelectedRows } from "#server/admin/users/queries.ts";
import { type FixedOperation, skipReasonOf } from "#server/admin/users/rules.ts";
import { listLastBlockings } from "#server/audit/audit.ts";
import { Refusal } from "#server/base/refusal.ts";
import { listActiveCoaches } from "#server/coaching/coaches.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { isRoot, roleOf, type User } from "#server/identity/users.ts";
import type { BulkActionRow, BulkPersonRow } from "#server/people/bulk-actions.ts";
import { findSubscriptionStates } from "#server/subscriptions/account-states.ts";
import { isEndedByGift } from "#server/subscriptions/subscriptions.ts";

/** Whether an action would change one of many people, as they are now. */
export interface Eligibility {
  readonly user: Candidate;
  /** Null: the action would be done. */
  readonly skippedBecause: SkipReason | null;
  /** The id of the subscription that a hold would concern. */
  readonly holdable: string | null;
  /** Whether an administrator holds the account. */
  readonly isHeld: boolean;
  readonly endsSubscription: boolean;
}

/** @throws Refusal conflict when they are too many. */
export async function listSelected(ctx: Context, selection: UserSelection, until: Date): Promise<Candidate[]> {
  const selected = await listSelectedRows(ctx.db, selection, until, maxPeople + 1);
  if (selected.length <= maxPeople) return selected;
  const all = (await countSelectedRows(ctx.db, selection, until)).toLocaleString("en-US");
  const most = maxPeople.toLocaleString("en-US");
  throw new Refusal("conflict", `You selected ${all} people. The limit is ${most} for each action. Narrow the filter.`);
}

/** Created once: a schema for each of thousands of people takes longer than reading them. */
const CachedTier = Tier.nullable();

/** The eligibility of people, in their order. */
export async function checkEligibility(
  ctx: Context,
  people: readonly Candidate[],
  operation: FixedOperation,
  actor: User,
): Promise<Eligibility[]> {
  const ids = people.map(({ id }) => id);
  const states = await findSubscriptionStates(ctx.db, ids);
  const now = ctx.clock.now();
  const isOfTeam = await findTeam(ctx);
  const role = roleOf(ctx, actor);
  const access = await accessOfEach(ctx.db, operation.kind === "grant" ? ids : [], now);
  return people.map((user) => {
    const subscription = states.get(user.id);
    const state = {
      tier: CachedTier.parse(user.purchasedTier),
      accountStatus: user.accountStatus,
      renews: subscription?.renews ?? false,
      holdable: subscription?.holdable ?? null,
      isDeclined: subscription?.isDeclined ?? false,
      waitsForPayment: subscription?.waitsForPayment ?? false,
      isSelf: user.id === actor.id,
      mayClose: true,
      mayOpen: true,
    };
    const has = access.get(user.id) ?? { tier: null, until: null };
    return {
      user,
      skippedBecause: skipReasonOf({ state, isOfTeam: isOfTeam(user), access: has }, operation, role),
      holdable: state.holdable,
      isHeld: subscription?.isHeld ?? false,
      endsSubscription:
        operation.kind === "grant" && subscription !== undefined && isEndedByGift(subscription, operation),
    };
  });
}

/** Tells whether somebody has a role, or coaches. */
async function findTeam(ctx: Context): Promise<(user: Candidate) => boolean> {
  const coaches = new Set((await listActiveCoaches(ctx.db)).map(({ userId }) => userId));
  return (user) => user.role !== null || isRoot(ctx, user) || coaches.has(user.id);
}

async function accessOfEach(db: Db, userIds: readonly string[], now: Date) {
  const grants = Map.groupBy(await listGrantsNotOver(db, userIds, now), ({ userId }) => userId);
  return new Map([...grants].map(([userId, ofUser]) => [userId, computeAccess(ofUser, now)]));
}

/** Whether undoing an action would change the people to whom it was done, in their order. */
export async function checkUndoEligibility(
  ctx: Context,
  { kind }: Pick<BulkActionRow, "kind">,
  people: readonly { readonly person: BulkPersonRow; readonly user: Candidate }[],
): Promise<Eligibility[]> {
  const ids = people.map(({ user }) => user.id);
  const isOfTeam = await findTeam(ctx);
  const isUntouched =
    kind === "grant" ? await findUntouchedGifts(ctx, ids) : await findUntouchedAccounts(ctx.db, kind, ids);
  const states = await findSubscriptionStates(ctx.db, kind === "reactivate" ? ids : []);
  return people.map(({ person, user }) => {
    const holdable = states.get(user.id)?.holdable ?? null;
    const considered = { user, holdable, isHeld: false, endsSubscription: false };
    if (isOfTeam(user)) return { ...considered, skippedBecause: "team" };
    if (!isUntouched(person, user)) return { ...considered, skippedBecause: "changed" };
    if (kind !== "reactivate" || person.before?.accountStatus === "suspended") {
      return { ...considered, skippedBecause: null };
    }
    if (!person.before?.isHeld) return { ...considered, skippedBecause: "unpaid" };
    return { ...considered, skippedBecause: holdable === null ? "changed" : null };
  });
}

type IsUntouched = (person: BulkPersonRow, user: Candidate) => boolean;

async function findUntouchedGifts(ctx: Context, ids: readonly string[]): Promise<IsUntouched> {
  const grants = await listGrantsOfMany(ctx.db, ids);
  const ofUser = new Map(ids.map((id, at) => [id, grants[at] ?? []]));
  return ({ userId, actionId }) => isUntouchedGift(ofUser.get(userId) ?? [], actionId, ctx.clock.now());
}

const leftAs = { hold: "on_hold", suspend: "suspended", reactivate: "active" } as const;

/** The accounts whose state nobody has changed since the action. */
async function findUntouchedAccounts(db: Db, kind: keyof typeof leftAs, ids: readonly string[]): Promise<IsUntouched> {
  const lastOf = new Map((await listLastBlockings(db, ids)).map(({ subject, id }) => [subject, id]));
  return ({ userId, actionId }, user) => lastOf.get(userId) === actionId && user.accountStatus === leftAs[kind];
}
