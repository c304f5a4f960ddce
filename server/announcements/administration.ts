import { eq } from "drizzle-orm";
import {
  type Announcement,
  type AnnouncementText,
  audienceOf,
  filterIn,
  type sendAnnouncement,
} from "#contract/admin/announcements.ts";
import type { BatchStep } from "#contract/admin/batches.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import { audited, type Change, differences } from "#server/audit/audit.ts";
import { after, DAY, HOUR, MINUTE } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import { requireVersion, versionOf } from "#server/base/version.ts";
import type { StepTarget } from "#server/batches/batches.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { countUse } from "#server/db/rate-limits.ts";
import type { User } from "#server/identity/users.ts";
import { scheduleJob } from "#server/jobs/jobs.ts";
import { picturesIn, publishPictures } from "#server/settings/pictures.ts";
import {
  type AnnouncementRow,
  columnsOf,
  describeAnnouncement,
  lockDraft,
  lockDraftAsShown,
  textOf,
} from "./announcements.ts";
import { announcementBatches, countRecipients, fixRecipients, spreadWaiting } from "./queries.ts";
import { draftAgain, findBeginning, scheduleBeginning } from "./scheduling.ts";
import { isOlderThanRestore, scheduleNotice, testAnnouncementJob } from "./sending.ts";
import { announcements } from "./tables.ts";

/** The delay before the first mail, in which sending can be stopped. */
const notice = MINUTE;

const startsPerDay = {
  max: 5,
  window: DAY,
  message: "You can start or schedule five announcements a day. Try again tomorrow.",
};
const testsPerHour = { max: 20, window: HOUR, message: "You sent many test mails. Try again in an hour." };

export async function create(ctx: Context, actor: User, text: AnnouncementText): Promise<Announcement> {
  return actOn(ctx, { actor, id: newId() }, "create announcement", async (tx, id, now) => {
    await tx.insert(announcements).values({ id, ...columnsOf(text), createdAt: now });
    await publishPictures(tx, picturesIn(text.text), now);
    return { after: auditedOf(text) };
  });
}

/** @throws Refusal not-found, conflict. */
export async function change(ctx: Context, target: DraftTarget, text: AnnouncementText): Promise<Announcement> {
  return actOn(ctx, target, "change announcement", async (tx, id, now) => {
    const before = textOf(await lockDraft(tx, id));
    requireVersion(target.version, versionOf(before));
    await tx.update(announcements).set(columnsOf(text)).where(eq(announcements.id, id));
    await publishPictures(tx, picturesIn(text.text), now);
    return differences(auditedOf(before), auditedOf(text));
  });
}

/** @throws Refusal not-found, conflict. */
export async function remove(ctx: Context, { actor, id, version }: DraftTarget): Promise<void> {
  await audited(ctx, { actor, action: "delete announcement", subject: id }, async (tx) => {
    const before = await lockDraftAsShown(tx, id, version);
    await tx.delete(announcements).where(eq(announcements.id, id));
    return { before: auditedOf(textOf(before)) };
  });
}

/** @throws Refusal not-found, too-many-requests. */
export async function test(ctx: Context, { actor, id: announcementId }: Target): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    await announcementBatches.lock(tx, announcementId);
    await countUse(tx, `announcement-tests ${actor.id}`, testsPerHour, now);
    await scheduleJob(tx, testAnnouncementJob, { data: { announcementId, userId: actor.id }, runAt: now, now });
  });
}

/**
 * Fixes the recipients and begins to send a minute later, or schedules both.
 * @throws Refusal not-found, conflict, too-many-requests, invalid-input.
 */
export async function send(
  ctx: Context,
  target: DraftTarget,
  { recipients: shown, sendAt }: BodyOf<typeof sendAnnouncement>,
): Promise<Announcement> {
  return actOn(ctx, target, sendAt ? "schedule announcement" : "send announcement", async (tx, id, now) => {
    const draft = await lockDraftAsShown(tx, id, target.version, ["draft", "scheduled"]);
    const beginsAt = sendAt ? await findBeginning(ctx, tx, draft, sendAt, now) : after(now, notice);
    const recipients = await (sendAt ? countRecipients(ctx, tx, draft) : fixRecipients(ctx, tx, draft, beginsAt));
    if (recipients === 0) throw new Refusal("conflict", "Nobody would get this email. Choose different recipients.");
    if (recipients > shown) {
      const difference = `It would go to ${recipients} people now, and you were shown ${shown}.`;
      throw new Refusal("conflict", `${difference} Check again.`);
    }
    // One that was scheduled before was counted then.
    if (draft.sendAt === null) await countUse(tx, "announcements", startsPerDay, now);
    const state = sendAt ? "scheduled" : "running";
    const scheduledBy = sendAt ? target.actor.id : null;
    const changes = {
      state,
      people: recipients,
      startedAt: now,
      sendAt: sendAt ?? null,
      beginsAt,
      scheduledBy,
    } as const;
    await tx.update(announcements).set(changes).where(eq(announcements.id, id));
    if (sendAt) await scheduleBeginning(tx, { id, beginsAt }, now);
    else await announcementBatches.scheduleNextTurn(tx, draft, beginsAt, now);
    await scheduleNotice(tx, { announcementId: id, startedAt: now }, now);
    return { after: { ...auditedOf(draft), recipients, ...sendAt } };
  });
}

/** Makes a scheduled announcement a draft again. @throws Refusal not-found, conflict. */
export async function cancel(ctx: Context, target: Target): Promise<Announcement> {
  return actOn(ctx, target, "cancel announcement", async (tx, id) => {
    const { state } = await announcementBatches.lock(tx, id);
    if (state !== "scheduled") throw new Refusal("conflict", "It isn't scheduled. It may have begun meanwhile.");
    await tx.update(announcements).set(draftAgain).where(eq(announcements.id, id));
    return { before: { state }, after: { state: "draft" } };
  });
}

/** @throws Refusal not-found, conflict. */
export async function takeStep(ctx: Context, target: StepTarget, step: BatchStep): Promise<Announcement> {
  await announcementBatches.takeStep(ctx, target, step, prepareToResume);
  return describeAnnouncement(ctx.db, target.id);
}

/** @throws Refusal conflict after a restore. */
async function prepareToResume(tx: Db, row: AnnouncementRow, now: Date): Promise<void> {
  if (await isOlderThanRestore(tx, row)) {
    const advice =
      "Compare the records under Reconciliation first. People who got this email after the backup will get it again.";
    throw new Refusal("conflict", `This academy was restored from a backup. ${advice}`);
  }
  await spreadWaiting(tx, row.id, now);
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
  await audited(ctx, { actor, action, subject: id }, (tx, now) => change(tx, id, now));
  return describeAnnouncement(ctx.db, id);
}

/** Leaves out the text and what the audience searches for, which may name people. The announcement has both. */
function auditedOf({ subject, audience, toTeam }: Pick<AnnouncementText, "subject" | "audience" | "toTeam">) {
  const filter = filterIn(audience);
  const masked = filter?.search ? decodeURIComponent(audienceOf({ ...filter, search: "…" })) : audience;
  return { subject, audience: masked, ...(toTeam && { toTeam }) };
}
