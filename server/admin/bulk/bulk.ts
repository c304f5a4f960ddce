import { hash } from "node:crypto";
import type { Page, Paging } from "#contract/admin/admin.ts";
import type { BatchStep } from "#contract/admin/batches.ts";
import type {
  BulkAction,
  BulkOperation,
  BulkPerson,
  BulkPreview,
  SkipReason,
  UserSelection,
} from "#contract/admin/bulk-actions.ts";
import { isInCalendar } from "#contract/dates.ts";
import type { FixedOperation } from "#server/admin/users/rules.ts";
import * as announcements from "#server/announcements/selections.ts";
import { audited } from "#server/audit/audit.ts";
import { after, DAY, HOUR } from "#server/base/clock.ts";
import { invalidFields, Refusal } from "#server/base/refusal.ts";
import type { StepTarget } from "#server/batches/batches.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { countUse } from "#server/db/rate-limits.ts";
import { listPeople, nameOf } from "#server/identity/names.ts";
import type { User } from "#server/identity/users.ts";
import * as bulk from "#server/people/bulk-actions.ts";
import { periodEnd } from "#server/purchases/periods.ts";
import { checkEligibility, checkUndoEligibility, type Eligibility, listSelected } from "./eligibility.ts";

const undoableFor = 30 * DAY;
const perHour = { max: 30, window: HOUR, message: "You’ve started too many bulk actions. Try again in an hour." };

interface Asked {
  readonly selection: UserSelection;
  readonly operation: BulkOperation;
}

/** @throws Refusal conflict when they are too many, invalid-input for an end that has passed. */
export async function preview(ctx: Context, actor: User, asked: Asked): Promise<BulkPreview> {
  const asOf = ctx.clock.now();
  const considered = await checkSelection(ctx, actor, asked, asOf);
  return {
    ...countsOf(considered),
    endsSubscriptions: eligibleIn(considered).filter(({ endsSubscription }) => endsSubscription).length,
    preview: previewTokenOf(asOf, considered),
  };
}

/**
 * Starts an action; calls with the same id start one.
 * @throws Refusal conflict when the preview concerned other people; too-many-requests
 */
export async function start(
  ctx: Context,
  actor: User,
  asked: Asked & { readonly id: string; readonly reason?: string | undefined; readonly preview: string },
): Promise<BulkAction> {
  const { id, operation, reason } = asked;
  const known = await bulk.bulkBatches.find(ctx.db, id);
  if (known) return describeOwn(ctx, actor, known);
  if (operation.kind === "suspend" && !reason) throw invalidFields({ reason: ["Required"] });
  const asOf = asOfPreview(asked.preview);
  const begun = await beginOnce(ctx, { actor, action: `${operation.kind} many`, id, reason }, async (tx, now) => {
    const fixed = fixEnd(operation, now);
    const { kind } = operation;
    const grant = fixed.kind === "grant" ? fixed : { tier: null, endsAt: null };
    const row = { id, actorId: actor.id, kind, tier: grant.tier, endsAt: grant.endsAt, reason: reason ?? null };
    const made = await bulk.addBulkAction(tx, { ...row, undoes: null }, now);
    if (!made) return null;
    await countUse(tx, `bulk-actions ${actor.id}`, perHour, now);
    const considered = await checkSelection({ ...ctx, db: tx }, actor, asked, asOf);
    if (previewTokenOf(asOf, considered) !== asked.preview) {
      throw new Refusal("conflict", "Some of these people have changed since you saw the preview. Check it again.");
    }
    await storePeople(tx, made, considered, now);
    return { ...countsOf(considered), ...(fixed.kind === "grant" && { tier: fixed.tier, endsAt: fixed.endsAt }) };
  });
  return begun ? describe(ctx, id) : describeOwn(ctx, actor, await bulk.bulkBatches.find(ctx.db, id));
}

/** @throws Refusal not-found, conflict when it cannot be undone. */
export async function previewUndo(
  ctx: Context,
  id: string,
): Promise<Omit<BulkPreview, "endsSubscriptions" | "preview">> {
  return countsOf((await checkUndo(ctx, ctx.db, id)).considered);
}

/**
 * Undoes an action once; a second call gets the same answer.
 * @throws Refusal not-found; conflict when it cannot be undone
 */
export async function undo(ctx: Context, actor: User, undoes: string): Promise<BulkAction> {
  const [known] = await bulk.listUndosOf(ctx.db, [undoes]);
  if (known) return describe(ctx, known.id);
  const id = newId();
  const begun = await beginOnce(ctx, { actor, action: "undo many", id, reason: undefined }, async (tx, now) => {
    const { action, considered } = await checkUndo(ctx, tx, undoes);
    const { kind, tier, endsAt, reason } = action;
    const made = await bulk.addBulkAction(tx, { id, actorId: actor.id, kind, tier, endsAt, reason, undoes }, now);
    if (!made) return null;
    await countUse(tx, `bulk-actions ${actor.id}`, perHour, now);
    await storePeople(tx, made, considered, now);
    return { ...countsOf(considered), undoes };
  });
  const [before] = begun ? [] : await bulk.listUndosOf(ctx.db, [undoes]);
  return describe(ctx, before?.id ?? id);
}

/** @throws Refusal not-found, conflict. */
export async function takeStep(ctx: Context, target: StepTarget, step: BatchStep): Promise<BulkAction> {
  await bulk.bulkBatches.takeStep(ctx, target, step);
  return describe(ctx, target.id);
}

/** @throws Refusal not-found. */
export async function describe(ctx: Context, id: string): Promise<BulkAction> {
  const [presented] = await present(ctx, [await bulk.bulkBatches.get(ctx.db, id)]);
  if (!presented) throw new Error("a bulk action was not presented");
  return { ...presented, skippedBecause: await bulk.countSkipped(ctx.db, id) };
}

export async function list(ctx: Context, page: Paging): Promise<Page<Omit<BulkAction, "skippedBecause">>> {
  const { rows, total } = await bulk.listBulkActionRows(ctx.db, page);
  return { rows: await present(ctx, rows), total };
}

/** @throws Refusal not-found. */
export async function listPeopleOf(
  ctx: Context,
  id: string,
  { outcome, ...page }: Paging & { outcome: "done" | "skipped" },
): Promise<Page<BulkPerson>> {
  await bulk.bulkBatches.get(ctx.db, id);
  const { rows, total } = await bulk.listPageOfPeople(ctx.db, id, outcome, page);
  const people = rows.map(({ person, user }) => ({ id: user.id, name: nameOf(user), reason: person.skippedBecause }));
  return { rows: people, total };
}

/** @throws Refusal conflict when they are too many, or nobody. */
export async function selectAudience(ctx: Context, selection: UserSelection) {
  const now = ctx.clock.now();
  const people = await listSelected(ctx, selection, now);
  if (people.length === 0) throw nobody();
  const ids = people.map(({ id }) => id);
  return { audience: await announcements.selectAudience(ctx.db, ids, now), people: people.length };
}

async function checkSelection(ctx: Context, actor: User, asked: Asked, asOf: Date): Promise<Eligibility[]> {
  const operation = fixEnd(asked.operation, asOf);
  if (operation.kind === "grant" && operation.endsAt !== null && operation.endsAt <= ctx.clock.now()) {
    throw invalidFields({ endsAt: ["Is in the past"] });
  }
  return checkEligibility(ctx, await listSelected(ctx, asked.selection, asOf), operation, actor);
}

/** Fixes the instant at which gifts end, the same for everybody. */
function fixEnd(operation: BulkOperation, now: Date): FixedOperation {
  if (operation.kind !== "grant") return operation;
  const { kind, tier, endsAt } = operation;
  return {
    kind,
    tier,
    endsAt: endsAt === undefined ? periodEnd(tier, now) : endsAt === null ? null : new Date(endsAt),
  };
}

async function checkUndo(ctx: Context, db: Db, id: string) {
  const action = await bulk.bulkBatches.get(db, id);
  const [undone] = await bulk.listUndosOf(db, [id]);
  if (undoUntil(action, undone ?? null, ctx.clock.now()) === null) {
    throw new Refusal("conflict", "This action can’t be undone, or can no longer be undone.");
  }
  const done = await bulk.listPeopleOf(db, id, "done");
  return { action, considered: await checkUndoEligibility({ ...ctx, db }, action, done) };
}

async function storePeople(tx: Db, made: bulk.BulkActionRow, considered: readonly Eligibility[], now: Date) {
  if (eligibleIn(considered).length === 0) throw nobody();
  const people = considered.map(({ user, skippedBecause }) => ({ userId: user.id, skippedBecause }));
  await bulk.storePeople(tx, made.id, people, now);
  await bulk.bulkBatches.scheduleNextTurn(tx, made, now, now);
}

function nobody(): Refusal {
  return new Refusal("conflict", "This doesn’t apply to anyone. Change your selection.");
}

/** Starts the action in a transaction; false, and rolled back, when another call has started it. */
async function beginOnce(
  ctx: Context,
  { actor, action, id, reason }: { actor: User; action: string; id: string; reason: string | undefined },
  begin: (tx: Db, now: Date) => Promise<object | null>,
): Promise<boolean> {
  class BegunBefore extends Error {}
  try {
    await audited(ctx, { actor, action, subject: id, reason }, async (tx, now) => {
      const begun = await begin(tx, now);
      if (!begun) throw new BegunBefore();
      return { after: begun };
    });
    return true;
  } catch (error) {
    if (error instanceof BegunBefore) return false;
    throw error;
  }
}

async function describeOwn(ctx: Context, actor: User, row: bulk.BulkActionRow | null): Promise<BulkAction> {
  if (row?.actorId !== actor.id) throw new Refusal("conflict", "Another action has this id.");
  return describe(ctx, row.id);
}

function eligibleIn(considered: readonly Eligibility[]): Eligibility[] {
  return considered.filter(({ skippedBecause }) => skippedBecause === null);
}

function countsOf(considered: readonly Eligibility[]) {
  const counts = new Map<SkipReason, number>();
  for (const { skippedBecause: why } of considered) if (why !== null) counts.set(why, (counts.get(why) ?? 0) + 1);
  return {
    people: considered.length,
    concerned: eligibleIn(considered).length,
    skipped: [...counts]
      .map(([reason, people]) => ({ reason, people }))
      .toSorted((a, b) => b.people - a.people || a.reason.localeCompare(b.reason)),
  };
}

/**
 * Identifies the people of a preview: the token changes when others match. People who no longer match are skipped
 * later as well.
 */
function previewTokenOf(asOf: Date, considered: readonly Eligibility[]): string {
  const ids = eligibleIn(considered).map(({ user }) => user.id);
  return `${asOf.toISOString()} ${hash("sha256", ids.join("\n"))}`;
}

function asOfPreview(preview: string): Date {
  const asOf = new Date(preview.split(" ")[0] ?? "");
  if (Number.isNaN(asOf.getTime()) || !isInCalendar(preview)) throw invalidFields({ preview: ["Not a preview"] });
  return asOf;
}

function undoUntil(row: bulk.BulkActionRow, undone: bulk.BulkActionRow | null, now: Date): Date | null {
  if (row.undoes !== null || row.done === 0 || undone || !row.finishedAt) return null;
  const until = after(row.finishedAt, undoableFor);
  const ended = row.kind === "grant" && row.endsAt !== null && row.endsAt <= now;
  return until > now && !ended ? until : null;
}

async function present(
  ctx: Context,
  rows: readonly bulk.BulkActionRow[],
): Promise<Omit<BulkAction, "skippedBecause">[]> {
  const now = ctx.clock.now();
  const actors = await listPeople(ctx.db, [...new Set(rows.map(({ actorId }) => actorId))]);
  const undos = await bulk.listUndosOf(
    ctx.db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => {
    const undone = undos.find(({ undoes }) => undoes === row.id) ?? null;
    return {
      ...row,
      ...bulk.bulkBatches.progressOf(row),
      endsAt: row.endsAt?.toISOString() ?? null,
      undoneBy: undone?.id ?? null,
      undoUntil: undoUntil(row, undone, now)?.toISOString() ?? null,
      actorName: nameOf(actors.find(({ id }) => id === row.actorId) ?? null),
    };
  });
}
