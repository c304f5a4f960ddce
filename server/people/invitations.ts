import { and, desc, eq, gt, isNotNull, isNull } from "drizzle-orm";
import { z } from "zod";
import type { Page, Paging } from "#contract/admin/admin.ts";
import type { Invitation, InvitationFilter } from "#contract/admin/invitations.ts";
import type { OwnInvitation } from "#contract/invitations.ts";
import { roleLabels, type StaffRole } from "#contract/roles.ts";
import type { PlanNames, Tier } from "#contract/tiers.ts";
import { audited } from "#server/audit/audit.ts";
import { after, DAY } from "#server/base/clock.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import { currentPlanNames } from "#server/catalogue/catalogue.ts";
import type { Context } from "#server/context/context.ts";
import { searchForm } from "#server/db/columns.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { containsWords, selectPage } from "#server/db/paging.ts";
import { countUse } from "#server/db/rate-limits.ts";
import type { RetentionRule } from "#server/db/retention.ts";
import { listPeople, nameOf } from "#server/identity/names.ts";
import { findUserByEmail, type User } from "#server/identity/users.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { renderEmail } from "#server/mail/layout.ts";
import type { Message } from "#server/mail/mail.ts";
import { onDay, questions } from "#server/mail/wording.ts";
import { type Academy, describeAcademy } from "#server/settings/settings.ts";
import { invitations } from "./tables.ts";

const openFor = 30 * DAY;
/** Shorter: the invited person expects it, and a mailbox may get another owner. */
const roleOpenFor = 7 * DAY;
/** Invitations go to people who did not ask for them. */
const perDay = { max: 100, window: DAY, message: "A hundred invitations were sent within a day. Try again tomorrow." };

export type InvitationRow = typeof invitations.$inferSelect;

export const mailInvitationJob = defineJob("mail-invitation", z.object({ invitationId: z.string() }), { lane: "mail" });

/** Except invitations to a role. */
export async function listInvitations(
  { db, clock }: Context,
  { search, ...page }: InvitationFilter & Paging,
): Promise<Page<Invitation>> {
  const isFound = containsWords(searchForm(invitations.email), search);
  const where = and(gt(invitations.expiresAt, clock.now()), isNull(invitations.role), ...isFound);
  const part = { ...page, table: invitations, id: invitations.id, key: invitations.createdAt, where };
  const { rows, total } = await selectPage(db, db.select().from(invitations).$dynamic(), part);
  const authors = await listPeople(
    db,
    rows.map(({ authorId }) => authorId),
  );
  const described = rows.map(({ authorId, createdAt, expiresAt, sentAt, acceptedAt, ...row }) => ({
    ...row,
    author: nameOf(authors.find(({ id }) => id === authorId) ?? null),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
    acceptedAt: acceptedAt?.toISOString() ?? null,
  }));
  return { rows: described, total };
}

/** @throws Refusal conflict, too-many-requests. */
export async function invite(ctx: Context, actor: User, to: { email: string; tier: Tier | null }): Promise<void> {
  const id = newId();
  await audited(ctx, { actor, action: "invite", subject: id }, async (tx, now) => {
    await openInvitation(tx, { id, ...to, role: null, authorId: actor.id }, now);
    return { after: { tier: to.tier } };
  });
}

/** @throws Refusal not-found. */
export async function revokeInvitation(ctx: Context, actor: User, id: string): Promise<void> {
  await audited(ctx, { actor, action: "take back invitation", subject: id }, async (tx) => ({
    before: { tier: (await deleteInvitation(tx, id, { ofTeam: false })).tier },
  }));
}

export interface RoleInvitation extends InvitationRow {
  readonly role: StaffRole;
}

/** Invitations to a role that nobody has accepted. */
export async function listRoleInvitations(db: Db, now: Date): Promise<RoleInvitation[]> {
  const rows = await db
    .select()
    .from(invitations)
    .where(and(gt(invitations.expiresAt, now), isNull(invitations.acceptedAt), isNotNull(invitations.role)))
    .orderBy(desc(invitations.createdAt));
  return rows.filter(isToRole);
}

export function isToRole(row: InvitationRow): row is RoleInvitation {
  return row.role !== null;
}

/** @throws Refusal conflict when the address has an account, too-many-requests. */
export async function openInvitation(
  tx: Db,
  { id, email, tier, role, authorId }: Pick<InvitationRow, "id" | "email" | "tier" | "role" | "authorId">,
  now: Date,
): Promise<void> {
  await requireInvitable(tx, { email, role }, now);
  await countUse(tx, "invitations", perDay, now);
  await tx.delete(invitations).where(and(eq(invitations.email, email), isNull(invitations.acceptedAt)));
  const [made] = await tx
    .insert(invitations)
    .values({ id, email, tier, role, authorId, createdAt: now, expiresAt: after(now, role ? roleOpenFor : openFor) })
    .onConflictDoNothing()
    .returning({ id: invitations.id });
  if (!made) throw new Refusal("conflict", "Someone with this address has already accepted an invitation.");
  await scheduleJob(tx, mailInvitationJob, { data: { invitationId: id }, key: id, runAt: now, now });
}

/**
 * An open invitation to a role cannot be replaced by one without, or the other way round: they need different
 * permissions.
 * @throws Refusal conflict.
 */
export async function requireInvitable(
  tx: Db,
  { email, role }: { readonly email: string; readonly role: StaffRole | null },
  now: Date,
): Promise<void> {
  if ((await findUserByEmail(tx, email))?.emailVerified) {
    throw new Refusal("conflict", "This person already has an account. Give access on their page.");
  }
  const open = await findOpenFor(tx, email, now);
  if (open && isToRole(open) !== (role !== null)) {
    const [first, who] = isToRole(open) ? ["to the team", "An owner must cancel"] : ["already", "Cancel"];
    throw new Refusal("conflict", `This address has been invited ${first}. ${who} that invitation first.`);
  }
}

/**
 * @param ofTeam whether to take back an invitation to a role, or one without.
 * @returns what it would have given.
 * @throws Refusal not-found.
 */
export async function deleteInvitation(
  tx: Db,
  id: string,
  { ofTeam }: { readonly ofTeam: boolean },
): Promise<Pick<InvitationRow, "tier" | "role">> {
  const kind = ofTeam ? isNotNull(invitations.role) : isNull(invitations.role);
  const [gone] = await tx
    .delete(invitations)
    .where(and(eq(invitations.id, id), isNull(invitations.acceptedAt), kind))
    .returning({ tier: invitations.tier, role: invitations.role });
  if (!gone) throw notFound("open invitation");
  return gone;
}

/** An owner's decision about the person overrides earlier invitations. */
export async function forgetRoleInvitations(tx: Db, email: string): Promise<void> {
  await tx.delete(invitations).where(and(eq(invitations.email, email), isNotNull(invitations.role)));
}

export async function mailInvitation(ctx: Context, { invitationId }: { invitationId: string }): Promise<void> {
  const [invitation] = await ctx.db.select().from(invitations).where(eq(invitations.id, invitationId));
  const now = ctx.clock.now();
  if (!invitation || invitation.sentAt || invitation.expiresAt <= now) return;
  await ctx.mail.send(
    composeInvitation(await describeAcademy(ctx), invitation, await currentPlanNames(ctx.db)),
    invitation.id,
  );
  await ctx.db.update(invitations).set({ sentAt: now }).where(eq(invitations.id, invitationId));
}

/** Its link alone gives nothing, so that a forwarded mail or a link scanner gets no access. */
function composeInvitation(
  academy: Academy,
  { email, tier, role, expiresAt }: InvitationRow,
  names: PlanNames,
): Message {
  const { name, supportEmail } = academy;
  const reader = { firstName: null, academy };
  const plan = tier ? ` You get ${names[tier]} for free.` : "";
  const opens = role ? ` You get the ${roleLabels[role]} role.` : plan;
  const written = {
    subject: `You're invited to ${role ? "the team of " : ""}${name}`,
    paragraphs: [
      `This invitation is for ${email}.${opens}`,
      `Sign in or create an account with this email address, confirm the address, and accept the invitation by ${onDay(expiresAt, reader)}.`,
    ],
    link: ["See the invitation", "/invitation"],
    closing: `${questions(reader)} If you didn't expect this, you can ignore it.`,
  } as const;
  return { to: email, replyTo: supportEmail, ...renderEmail(written, reader) };
}

export async function describeInvitation(ctx: Context, user: User): Promise<OwnInvitation> {
  // Only a confirmed address counts, because anybody can register with somebody else's.
  const found = user.emailVerified ? await findOpenFor(ctx.db, user.email, ctx.clock.now()) : null;
  const invitation = found && { tier: found.tier, role: found.role, expiresAt: found.expiresAt.toISOString() };
  return { invitation, isConfirmed: user.emailVerified };
}

async function findOpenFor(db: Db, email: string, now: Date): Promise<InvitationRow | null> {
  const [row] = await db.select().from(invitations).where(isOpenFor(email, now));
  return row ?? null;
}

/** Serializes accepting and revoking. */
export async function lockOpenInvitation(tx: Db, email: string, now: Date): Promise<InvitationRow | null> {
  const [row] = await tx.select().from(invitations).where(isOpenFor(email, now)).for("update");
  return row ?? null;
}

function isOpenFor(email: string, now: Date) {
  return and(eq(invitations.email, email), isNull(invitations.acceptedAt), gt(invitations.expiresAt, now));
}

export function exportInvitations(db: Db, email: string) {
  const { tier, role, createdAt, expiresAt, acceptedAt } = invitations;
  return db
    .select({ tier, role, createdAt, expiresAt, acceptedAt })
    .from(invitations)
    .where(eq(invitations.email, email));
}

export async function forgetInvitations(tx: Db, email: string): Promise<void> {
  await tx.delete(invitations).where(eq(invitations.email, email));
}

export const invitationRetention: RetentionRule = { table: invitations, from: invitations.expiresAt, keptFor: 0 };
