import { and, desc, eq, gt, isNull } from "drizzle-orm";
import { z } from "zod";
import type { OwnInvitation } from "#contract/invitations.ts";
import { type Tier, tierLabels } from "#contract/tiers.ts";
import { accessOf, isBlocked, setTierByAdministrator } from "#server/access/access.ts";
import { after, DAY } from "#server/base/clock.ts";
import { onDay } from "#server/base/dates.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { AgingRows } from "#server/db/aging.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { countUse } from "#server/db/limits.ts";
import { findUserByEmail, lockUser, type User } from "#server/identity/users.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import type { Message } from "#server/mail/mail.ts";
import { composeEmail } from "#server/mail/student-emails.ts";
import { greeting, questions, type Reader, type WrittenEmail } from "#server/mail/wording.ts";
import { periodEnd } from "#server/purchases/periods.ts";
import { describeAcademy } from "#server/settings/settings.ts";
import { invitations } from "./tables.ts";

const openFor = 30 * DAY;
/** They go to people who asked for nothing. */
const perDay = { most: 100, window: DAY, message: "A hundred invitations were sent within a day. Try again tomorrow." };

export type InvitationRow = typeof invitations.$inferSelect;

export const mailInvitationJob = defineJob("mail-invitation", z.object({ invitationId: z.string() }), { lane: "mail" });

export function listInvitations(db: Db, now: Date): Promise<InvitationRow[]> {
  return db.select().from(invitations).where(gt(invitations.expiresAt, now)).orderBy(desc(invitations.createdAt));
}

/** @throws Refusal conflict when the address has an account, too-many-requests. */
export async function invite(
  tx: Db,
  { id, email: typed, tier, authorId }: Pick<InvitationRow, "id" | "email" | "tier" | "authorId">,
  now: Date,
): Promise<void> {
  const email = typed.toLowerCase();
  const owner = await findUserByEmail(tx, email);
  if (owner?.emailVerified) {
    throw new Refusal("conflict", "This person has an account: give access on their page.");
  }
  await countUse(tx, "invitations", perDay, now);
  await tx.delete(invitations).where(and(eq(invitations.email, email), isNull(invitations.acceptedAt)));
  const [made] = await tx
    .insert(invitations)
    .values({ id, email, tier, authorId, createdAt: now, expiresAt: after(now, openFor) })
    .onConflictDoNothing()
    .returning({ id: invitations.id });
  if (!made) throw new Refusal("conflict", "This address has accepted an invitation.");
  await scheduleJob(tx, mailInvitationJob, { data: { invitationId: id }, key: id, runAt: now, now });
}

/** @returns what it would have opened. @throws Refusal not-found. */
export async function revokeInvitation(tx: Db, id: string): Promise<Tier | null> {
  const [gone] = await tx
    .delete(invitations)
    .where(and(eq(invitations.id, id), isNull(invitations.acceptedAt)))
    .returning({ tier: invitations.tier });
  if (!gone) throw notFound("open invitation");
  return gone.tier;
}

export async function mailInvitation(ctx: Context, { invitationId }: { invitationId: string }): Promise<void> {
  const [invitation] = await ctx.db.select().from(invitations).where(eq(invitations.id, invitationId));
  const now = ctx.clock.now();
  if (!invitation || invitation.sentAt || invitation.expiresAt <= now) return;
  const reader = { firstName: null, publicUrl: ctx.site.publicUrl, academy: await describeAcademy(ctx) };
  await ctx.mail.send(composeInvitation(reader, invitation), invitation.id);
  await ctx.db.update(invitations).set({ sentAt: now }).where(eq(invitations.id, invitationId));
}

/** Its link opens nothing by itself: a mail that is passed on, or a scanner of links, gets no access. */
function composeInvitation(reader: Reader, { email, tier, expiresAt }: InvitationRow): Message {
  const { name, supportEmail } = reader.academy;
  const opens = tier ? ` It opens ${tierLabels[tier]}, and nothing is charged.` : "";
  const write = (): WrittenEmail => ({
    subject: `You are invited to ${name}`,
    content: {
      heading: `You are invited to ${name}`,
      paragraphs: [
        greeting(reader),
        `This invitation is for ${email}.${opens}`,
        `Sign in or create an account with this address, confirm it, and accept the invitation by ${onDay(expiresAt)}.`,
      ],
      action: { text: "See the invitation", url: `${reader.publicUrl}/invitation` },
      closing: `${questions(reader)} If you did not expect this, you need do nothing: it expires by itself.`,
    },
  });
  return { to: email, replyTo: supportEmail, ...composeEmail({ write }, reader, undefined) };
}

export async function describeInvitation(ctx: Context, user: User): Promise<OwnInvitation> {
  const found = await findOpen(ctx.db, user, ctx.clock.now());
  const invitation = found && { tier: found.tier, expiresAt: found.expiresAt.toISOString() };
  return { invitation, isConfirmed: user.emailVerified };
}

/** Only the confirmed address counts: anybody could register somebody else's. */
async function findOpen(db: Db, { email, emailVerified }: User, now: Date): Promise<InvitationRow | null> {
  if (!emailVerified) return null;
  const [row] = await db
    .select()
    .from(invitations)
    .where(
      and(eq(invitations.email, email.toLowerCase()), isNull(invitations.acceptedAt), gt(invitations.expiresAt, now)),
    );
  return row ?? null;
}

/** Once, also for two presses at the same time. @throws Refusal not-found, account-blocked, already-owned. */
export async function acceptInvitation(ctx: Context, { id: userId }: User): Promise<Tier | null> {
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const user = await lockUser(tx, userId);
    const found = await findOpen(tx, user, now);
    if (!found) throw notFound("invitation for your address");
    if (isBlocked(user.accountStatus)) {
      throw new Refusal("account-blocked", "Your account is on hold or suspended, so nothing can be opened.");
    }
    const { tier } = found;
    if (tier && (await accessOf(tx, userId, now)).tier !== null) {
      throw new Refusal("already-owned", "You have access already. It stays as it is, and so does the invitation.");
    }
    await tx.update(invitations).set({ acceptedAt: now }).where(eq(invitations.id, found.id));
    if (tier) {
      const reason = "Accepted an invitation";
      const gift = { userId, tier, endsAt: periodEnd(tier, now), reason, actionId: newId() };
      await setTierByAdministrator(tx, gift, now);
    }
    return tier;
  });
}

export function exportInvitations(db: Db, email: string) {
  const { tier, createdAt, expiresAt, acceptedAt } = invitations;
  return db
    .select({ tier, createdAt, expiresAt, acceptedAt })
    .from(invitations)
    .where(eq(invitations.email, email.toLowerCase()));
}

export async function forgetInvitations(tx: Db, email: string): Promise<void> {
  await tx.delete(invitations).where(eq(invitations.email, email.toLowerCase()));
}

export const agingInvitations: AgingRows = { table: invitations, from: invitations.expiresAt, keptFor: 0 };
