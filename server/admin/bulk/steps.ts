import type { SkipReason } from "#contract/admin/bulk-actions.ts";
import type { FixedOperation } from "#server/admin/users/rules.ts";
import { Refusal } from "#server/base/refusal.ts";
import { pauseBetweenTurns, type Turn } from "#server/batches/batches.ts";
import type { Context } from "#server/context/context.ts";
import { lockTeam } from "#server/identity/team.ts";
import { lockUser, type User, userById, userMay } from "#server/identity/users.ts";
import * as bulk from "#server/people/bulk-actions.ts";
import {
  holdAccount,
  reactivateAccount,
  returnToHold,
  setTier,
  suspendAccount,
  takeBackTier,
  type UserAction,
} from "#server/subscriptions/accounts.ts";
import { checkEligibility, checkUndoEligibility, type Eligibility } from "./eligibility.ts";

/**
 * People per step for actions that send emails, such as holds: five a second, so that sign-in emails do not wait
 * behind thousands.
 */
const mailsPerStep = 5;
const peoplePerStep = 25;
const maxTries = 3;

export function runBulkAction(ctx: Context, turn: Turn): Promise<void> {
  return bulk.bulkBatches.takeTurn(ctx, turn, (action) => changeFew(ctx, action));
}

async function changeFew(ctx: Context, action: bulk.BulkActionRow): Promise<number> {
  const { id } = action;
  const actor = await userById(ctx.db, action.actorId);
  if (!userMay(ctx, actor, "people:many")) {
    await ctx.db.transaction(async (tx) => {
      if ((await bulk.bulkBatches.lock(tx, id)).state !== "running") return;
      await bulk.bulkBatches.finish(tx, id, "stopped", ctx.clock.now());
    });
    return 0;
  }
  let mails = 0;
  let hasFailed = false;
  for (const person of await bulk.listWaiting(ctx.db, id, peoplePerStep)) {
    if (mails === mailsPerStep) break;
    try {
      if (await runForOne(ctx, { action, actor }, person.userId)) mails += 1;
    } catch (error) {
      ctx.log.warn({ err: error, bulkActionId: id, userId: person.userId }, "an action on one of many failed");
      hasFailed = true;
      await noteFailure(ctx, person);
    }
  }
  return mails > 0 || hasFailed ? pauseBetweenTurns(ctx) : 0;
}

interface Running {
  readonly action: bulk.BulkActionRow;
  readonly actor: User;
}

/** Changes one person and records it, in one transaction. @returns whether it sends an email */
async function runForOne(ctx: Context, running: Running, userId: string): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    if ((await bulk.bulkBatches.lock(tx, running.action.id)).state !== "running") return false;
    // Locks the team before the user, as single actions do.
    if (running.action.kind !== "grant") await lockTeam(ctx, tx);
    const user = await lockUser(tx, userId);
    const person = await bulk.lockWaiting(tx, running.action.id, userId);
    if (!person) return false;
    const within = { ...ctx, db: tx };
    const considered = await checkOne(within, running, user);
    const skippedBecause = considered.skippedBecause ?? (await tryChange(within, running, person, considered));
    const isDone = skippedBecause === null;
    const { accountStatus, suspensionReason } = user;
    const before = isDone ? { accountStatus, suspensionReason, isHeld: considered.isHeld } : null;
    await bulk.closePerson(tx, person, { skippedBecause, before }, ctx.clock.now());
    return isDone && (running.action.kind !== "grant" || considered.endsSubscription);
  });
}

async function checkOne(ctx: Context, { action, actor }: Running, user: User): Promise<Eligibility> {
  const undone = action.undoes && (await bulk.findDone(ctx.db, action.undoes, user.id));
  const [considered] = action.undoes
    ? await checkUndoEligibility(ctx, action, undone ? [{ person: undone, user }] : [])
    : await checkEligibility(ctx, [user], operationOf(action), actor);
  return considered ?? { user, skippedBecause: "changed", holdable: null, isHeld: false, endsSubscription: false };
}

function operationOf({ kind, tier, endsAt }: bulk.BulkActionRow): FixedOperation {
  if (kind !== "grant") return { kind };
  if (tier === null) throw new Error("a grant to many names no tier");
  return { kind, tier, endsAt };
}

/** Returns the reason to skip the person when the action is refused, since their state has changed. */
async function tryChange(
  ctx: Context,
  running: Running,
  person: bulk.BulkPersonRow,
  considered: Eligibility,
): Promise<SkipReason | null> {
  try {
    await (running.action.undoes ? revertFor : applyTo)(ctx, running, person, considered);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return "changed";
    throw error;
  }
}

async function applyTo(
  ctx: Context,
  { action, actor }: Running,
  { userId, actionId: id }: bulk.BulkPersonRow,
  { holdable }: Eligibility,
): Promise<unknown> {
  const one: UserAction = { id, actor, userId, reason: action.reason ?? undefined };
  const operation = operationOf(action);
  switch (operation.kind) {
    case "grant":
      return setTier(ctx, one, operation);
    case "hold":
      return holdAccount(ctx, one, holdable ?? "");
    case "suspend":
      return suspendAccount(ctx, { ...one, reason: action.reason ?? "" });
    case "reactivate":
      return reactivateAccount(ctx, one);
  }
}

async function revertFor(
  ctx: Context,
  { action, actor }: Running,
  { userId, actionId: id }: bulk.BulkPersonRow,
  { holdable }: Eligibility,
): Promise<unknown> {
  const done = await bulk.findDone(ctx.db, action.undoes ?? "", userId);
  if (!done) return;
  const one: UserAction = { id, actor, userId, reason: "undone" };
  if (action.kind === "grant") return takeBackTier(ctx, one, done.actionId);
  if (action.kind !== "reactivate") {
    return done.before?.accountStatus === "on_hold"
      ? returnToHold(ctx, one, done.before.suspensionReason)
      : reactivateAccount(ctx, one);
  }
  const reason = done.before?.suspensionReason ?? undefined;
  if (done.before?.accountStatus === "suspended") return suspendAccount(ctx, { ...one, reason: reason ?? "" });
  return holdAccount(ctx, { ...one, reason }, holdable ?? "");
}

async function noteFailure(ctx: Context, person: bulk.BulkPersonRow): Promise<void> {
  if ((await bulk.noteFailedTry(ctx.db, person)) < maxTries) return;
  await ctx.db.transaction(async (tx) => {
    await bulk.bulkBatches.lock(tx, person.bulkActionId);
    await lockUser(tx, person.userId);
    if (!(await bulk.lockWaiting(tx, person.bulkActionId, person.userId))) return;
    await bulk.closePerson(tx, person, { skippedBecause: "failed", before: null }, ctx.clock.now());
  });
}
