import { and, asc, desc, eq, gt } from "drizzle-orm";
import { z } from "zod";
import type * as contract from "#contract/admin/imports.ts";
import type { PlanNames } from "#contract/tiers.ts";
import { isBlocked } from "#server/access/access.ts";
import { findChoice } from "#server/announcements/choices.ts";
import { audited } from "#server/audit/audit.ts";
import { after, HOUR, MINUTE } from "#server/base/clock.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import { pauseBetweenTurns, type StepTarget } from "#server/batches/batches.ts";
import { currentPlanNames } from "#server/catalogue/catalogue.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { findUserByEmail } from "#server/identity/users.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { renderEmail } from "#server/mail/layout.ts";
import { MailNotAccepted, type Message } from "#server/mail/mail.ts";
import { onDay, questions } from "#server/mail/wording.ts";
import { type Academy, describeAcademy } from "#server/settings/settings.ts";
import { findRenewalStops } from "#server/subscriptions/renewal-stops.ts";
import { mayStillImport } from "./imports.ts";
import { describeImport } from "./listing.ts";
import { importBatches, isUnsent, type RowEntry, setRow } from "./queries.ts";
import { blockedReason } from "./rules.ts";
import { importMails, importRows, imports } from "./tables.ts";

const perTurn = 10;
/** Refusals until an address counts as unreachable. */
const maxTries = 3;
const notDelivered = "The email couldn’t be delivered.";

const Turn = z.object({ id: z.string(), turn: z.int() });
export const inviteImportedJob = defineJob("invite-imported", Turn, { lane: "mail" });

/** @throws Refusal not-found, conflict */
export async function inviteImported(
  ctx: Context,
  { actor, id }: StepTarget,
  { perHour }: z.output<typeof contract.InviteImported>,
): Promise<contract.Import> {
  await audited(ctx, { actor, action: "send invitations", subject: id }, async (tx, now) => {
    const { state, sending, sendingTurn } = await importBatches.lock(tx, id);
    if (state !== "done" && state !== "stopped") throw new Refusal("conflict", "The import isn’t done yet.");
    if (sending === "sending") throw new Refusal("conflict", "The invitations are being sent.");
    if (await isRestored(tx)) {
      const why =
        "This academy was restored from a backup, which doesn’t know what was sent since. Resume renewals first.";
      throw new Refusal("conflict", why);
    }
    await tx
      .update(imports)
      .set({ invitationsPerHour: perHour, sending: "sending", senderId: actor.id })
      .where(eq(imports.id, id));
    await scheduleTurn(tx, { id, turn: sendingTurn }, now, now);
    return { after: { perHour } };
  });
  return describeImport(ctx, id);
}

async function isRestored(db: Db): Promise<boolean> {
  return (await findRenewalStops(db)).restoredAt !== null;
}

/** Makes jobs of earlier turns do nothing. */
async function scheduleTurn(tx: Db, { id, turn }: z.output<typeof Turn>, runAt: Date, now: Date): Promise<void> {
  const isNow = and(eq(imports.id, id), eq(imports.sendingTurn, turn), eq(imports.sending, "sending"));
  const next = { id, turn: turn + 1 };
  const moved = await tx.update(imports).set({ sendingTurn: next.turn }).where(isNow).returning({ id: imports.id });
  if (moved.length === 0) return;
  await scheduleJob(tx, inviteImportedJob, { data: next, key: `${id} ${next.turn}`, runAt, now });
}

/** Schedules those again whose job failed for good. */
export async function scheduleInvitationsAgain(db: Db, now: Date): Promise<void> {
  const sending = await db.select().from(imports).where(eq(imports.sending, "sending"));
  for (const { id, sendingTurn: turn } of sending)
    await scheduleJob(db, inviteImportedJob, { data: { id, turn }, key: `${id} ${turn}`, runAt: now, now });
}

/** Sends a few of them, as many as the hour has left. */
export async function runInvitations(ctx: Context, { id, turn }: z.output<typeof Turn>): Promise<void> {
  const row = await importBatches.find(ctx.db, id);
  if (row?.sending !== "sending" || row.sendingTurn !== turn) return;
  const end = (sending: "stopped" | "done") =>
    ctx.db
      .update(imports)
      .set({ sending })
      .where(and(eq(imports.id, id), eq(imports.sending, "sending")));
  if (!(await mayStillImport(ctx, row.senderId ?? row.authorId)) || (await isRestored(ctx.db)))
    return void (await end("stopped"));
  const now = ctx.clock.now();
  const isSending = eq(imports.sending, "sending");
  // One import after the other, so that together they keep to the hour's limit.
  const [first] = await ctx.db.select().from(imports).where(isSending).orderBy(imports.createdAt, imports.id).limit(1);
  if (first && first.id !== id) {
    await ctx.db.transaction((tx) => scheduleTurn(tx, { id, turn }, after(now, MINUTE), now));
    return;
  }
  const lastHour = await ctx.db
    .select({ sentAt: importMails.sentAt })
    .from(importMails)
    .where(gt(importMails.sentAt, after(now, -HOUR)))
    .orderBy(desc(importMails.sentAt))
    .limit(row.invitationsPerHour);
  const left = row.invitationsPerHour - lastHour.length;
  const waiting = await ctx.db
    .select()
    .from(importRows)
    .where(and(eq(importRows.importId, id), isUnsent(now), gt(importRows.deletesAt, now)))
    .orderBy(asc(importRows.tries), asc(importRows.line))
    .limit(Math.max(1, Math.min(perTurn, left)));
  if (waiting.length === 0) return void (await end("done"));
  let isRefused = false;
  for (const one of left > 0 ? waiting : []) if (!(await inviteOne(ctx, one, turn))) isRefused = true;
  const later = after(ctx.clock.now(), isRefused ? MINUTE : pauseBetweenTurns(ctx));
  const nextHour = after(lastHour.at(-1)?.sentAt ?? now, HOUR);
  await ctx.db.transaction((tx) => scheduleTurn(tx, { id, turn }, left > 0 ? later : nextHour, ctx.clock.now()));
}

/** False when the mail server did not take it. */
async function inviteOne(ctx: Context, row: RowEntry, turn: number): Promise<boolean> {
  // It may have been claimed, withdrawn or stopped since; after a stop and another start, another turn sends.
  const [current] = await ctx.db
    .select({ sending: imports.sending, turn: imports.sendingTurn })
    .from(importRows)
    .innerJoin(imports, eq(imports.id, importRows.importId))
    .where(and(eq(importRows.id, row.id), isUnsent(ctx.clock.now())));
  if (current?.sending !== "sending" || current.turn !== turn) return true;
  const user = await findUserByEmail(ctx.db, row.email);
  const isUnwanted = user !== null && !(await findChoice(ctx.db, user.id)).wanted;
  const isBarred = user !== null && isBlocked(user.accountStatus);
  if (isUnwanted || isBarred || !(await ctx.mail.canWriteTo(row.email))) {
    const reason = isUnwanted ? null : isBarred ? blockedReason : notDelivered;
    await setRow(ctx.db, row.id, { mayEmail: false, reason });
    return true;
  }
  const message = composeImportInvitation(await describeAcademy(ctx), row, await currentPlanNames(ctx.db));
  const addressHash = ctx.hashMailbox(row.email);
  const isTheirs = eq(importMails.addressHash, addressHash);
  const sentAt = ctx.clock.now();
  // Before it is sent: when the server is killed in between, somebody gets no email rather than two.
  const noted = await ctx.db.insert(importMails).values({ addressHash, sentAt }).onConflictDoNothing().returning();
  if (noted.length === 0) {
    const [earlier] = await ctx.db.select().from(importMails).where(isTheirs);
    await setRow(ctx.db, row.id, { sentAt: earlier?.sentAt ?? sentAt });
    return true;
  }
  try {
    await ctx.mail.send(message, row.id);
  } catch (error) {
    if (!(error instanceof MailNotAccepted)) throw error;
    await ctx.db.delete(importMails).where(isTheirs);
    const tries = row.tries + 1;
    const isLast = error.isForGood && tries >= maxTries;
    await setRow(ctx.db, row.id, {
      tries,
      ...(isLast && { mayEmail: false, reason: notDelivered }),
    });
    return false;
  }
  await setRow(ctx.db, row.id, { sentAt });
  return true;
}

/** Its link alone gives nothing, so that a forwarded email or a link scanner gets no access. @internal */
export function composeImportInvitation(
  academy: Academy,
  {
    email,
    tier,
    endsAt,
    completed,
    deletesAt,
  }: Pick<RowEntry, "email" | "tier" | "endsAt" | "completed" | "deletesAt">,
  names: PlanNames,
): Message {
  // Without the list's name, which nobody has confirmed.
  const reader = { firstName: null, academy };
  const until = endsAt ? ` until ${onDay(after(endsAt, -1), reader)}` : "";
  const lessons = completed.length === 1 ? "the lesson" : `the ${completed.length} lessons`;
  const written = {
    subject: `Your place at ${academy.name} is ready`,
    paragraphs: [
      `We’ve moved our courses to a new site.${tier ? " You keep your access." : ""}`,
      tier && `You have ${names[tier]}${until}. You don’t need to pay for it again.`,
      completed.length > 0 && `We’ve also noted ${lessons} that you had completed.`,
      `Create an account with ${email}, or sign in, and confirm the address by ${onDay(deletesAt, reader)}. Your old password doesn’t work here.`,
    ],
    link: ["Get started", "/api/login?create=true"],
    closing: `${questions(reader)} This is the only email about it. If you didn’t expect it, you can ignore it.`,
  } as const;
  return { to: email, replyTo: academy.supportEmail, ...renderEmail(written, reader) };
}

/** @throws Refusal not-found when nobody waits for an email */
export async function previewImportInvitation(ctx: Context, id: string) {
  await importBatches.get(ctx.db, id);
  const [row] = await ctx.db
    .select()
    .from(importRows)
    .where(and(eq(importRows.importId, id), isUnsent(ctx.clock.now())))
    .orderBy(asc(importRows.line))
    .limit(1);
  if (!row) throw notFound("invitation");
  const { to, subject, html } = composeImportInvitation(
    await describeAcademy(ctx),
    row,
    await currentPlanNames(ctx.db),
  );
  return { to, subject, html };
}
