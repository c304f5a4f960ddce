import type { Announcement, AnnouncementText } from "#contract/admin/announcements.ts";
import { type Change, differences, performAction } from "#server/audit/audited-action.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import type { User } from "#server/identity/users.ts";
import { addAnnouncement, changeAnnouncement, deleteAnnouncement, describeAnnouncement } from "./announcements.ts";
import { orderTest, pauseAnnouncement, resumeAnnouncement, startAnnouncement, stopAnnouncement } from "./sending.ts";

export async function create(ctx: Context, actor: User, text: AnnouncementText): Promise<Announcement> {
  return actOn(ctx, { actor, id: newId() }, "create announcement", async (tx, id, now) => {
    await addAnnouncement(tx, id, text, now);
    return { after: auditedOf(text) };
  });
}

/** @throws Refusal not-found, conflict. */
export async function change(ctx: Context, target: DraftTarget, text: AnnouncementText): Promise<Announcement> {
  return actOn(ctx, target, "change announcement", async (tx, id) =>
    differences(auditedOf(await changeAnnouncement(tx, id, text, target.version)), auditedOf(text)),
  );
}

/** @throws Refusal not-found, conflict. */
export async function remove(ctx: Context, { actor, id, version }: DraftTarget): Promise<void> {
  await performAction(ctx, { actor, action: "delete announcement", subject: id }, async (tx) => ({
    before: auditedOf(await deleteAnnouncement(tx, id, version)),
  }));
}

/** @throws Refusal not-found, too-many-requests. */
export async function test(ctx: Context, { actor, id }: Target): Promise<void> {
  await ctx.db.transaction((tx) => orderTest(tx, id, actor, ctx.clock.now()));
}

/** @throws Refusal not-found, conflict, too-many-requests. */
export async function send(ctx: Context, target: DraftTarget, shown: number): Promise<Announcement> {
  return actOn(ctx, target, "send announcement", async (tx, id, now) => {
    const recipients = await startAnnouncement(tx, id, { recipients: shown, version: target.version }, now);
    const { subject, audience } = await describeAnnouncement(tx, id);
    return { after: { subject, audience, recipients } };
  });
}

/** @throws Refusal not-found, conflict. */
export async function pause(ctx: Context, target: Target): Promise<Announcement> {
  return actOn(ctx, target, "pause announcement", async (tx, id) => {
    await pauseAnnouncement(tx, id);
    return { before: { state: "sending" }, after: { state: "paused" } };
  });
}

/** @throws Refusal not-found, conflict. */
export async function resume(ctx: Context, target: Target): Promise<Announcement> {
  return actOn(ctx, target, "resume announcement", async (tx, id, now) => {
    await resumeAnnouncement(tx, id, now);
    return { before: { state: "paused" }, after: { state: "sending" } };
  });
}

/** @throws Refusal not-found, conflict. */
export async function stop(ctx: Context, target: Target): Promise<Announcement> {
  return actOn(ctx, target, "stop announcement", async (tx, id, now) => ({
    after: { stoppedBefore: await stopAnnouncement(tx, id, now) },
  }));
}

interface Target {
  readonly actor: User;
  readonly id: string;
}

interface DraftTarget extends Target {
  /** Of the draft that was looked at. */
  readonly version?: string | undefined;
}

async function actOn(
  ctx: Context,
  { actor, id }: Target,
  action: string,
  change: (tx: Db, id: string, now: Date) => Promise<Change>,
): Promise<Announcement> {
  await performAction(ctx, { actor, action, subject: id }, (tx, now) => change(tx, id, now));
  return describeAnnouncement(ctx.db, id);
}

/** Leaves out the text, which may name people and is stored with the announcement. */
function auditedOf({ subject, audience }: AnnouncementText) {
  return { subject, audience };
}
