import type { RoleChange, Team, TeamInvitation, TeamMember } from "#contract/admin/team.ts";
import { type Permission, roleMay } from "#contract/permissions.ts";
import type { Role, StaffRole } from "#contract/roles.ts";
import { audited, recordAudit } from "#server/audit/audit.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import { listActiveCoaches } from "#server/coaching/coaches.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { nameOf } from "#server/identity/names.ts";
import {
  findSecondFactorRequired,
  type LastSignIn,
  listLastSignIns,
  setSecondFactorRequired,
} from "#server/identity/second-factor.ts";
import { endSessionsOf } from "#server/identity/sessions/session-ends.ts";
import type { SignedIn } from "#server/identity/sessions/sessions.ts";
import { lockTeam, setRole } from "#server/identity/team.ts";
import {
  anyRoleOf,
  deleted,
  findUserByEmail,
  isRoot,
  lockUser,
  roleOf,
  suspended,
  type User,
  userById,
  userMay,
} from "#server/identity/users.ts";
import { postEmail } from "#server/mail/student-emails.ts";
import * as invitations from "#server/people/invitations.ts";
import { roleChangedEmail, teamChangedEmail } from "#server/people/role-emails.ts";
import { listTeamRows, listUsers } from "./queries.ts";
import { confirmRestoredTeam, findTeamRestored } from "./restored.ts";
import { compare, rankOf, requirePossible } from "./rules.ts";

export async function describeTeam(ctx: Context, { user: actor, session }: SignedIn): Promise<Team> {
  const coaches = await listActiveCoaches(ctx.db);
  const coachIds = new Set(coaches.map(({ userId }) => userId));
  const rows = await listTeamRows(ctx, [...coachIds]);
  const signIns = await listLastSignIns(
    ctx.db,
    rows.map(({ id }) => id),
  );
  const mayGive = roleMay(roleOf(ctx, actor), "team:write");
  const members = rows.flatMap((user): TeamMember[] => {
    const root = isRoot(ctx, user);
    const role = root ? "owner" : (user.role ?? (coachIds.has(user.id) ? "coach" : null));
    if (!role) return [];
    return [
      {
        userId: user.id,
        name: nameOf(user),
        email: user.email,
        role,
        isRoot: root,
        isSelf: user.id === actor.id,
        coaches: coachIds.has(user.id),
        waitsFor: root ? null : waitsFor(user),
        lastSignInAt: signIns.get(user.id)?.at.toISOString() ?? null,
        secondFactor: secondFactorOf(signIns.get(user.id)),
        mayChange: mayGive && !root && role !== "coach",
      },
    ];
  });
  const claimed = new Set(rows.filter((user) => isRoot(ctx, user)).map(({ email }) => email));
  return {
    members: members.toSorted((a, b) => rankOf(a.role) - rankOf(b.role) || a.name.localeCompare(b.name)),
    unclaimed: ctx.administratorEmails.filter((email) => !claimed.has(email)),
    invitations: await describeInvitations(ctx),
    mayGive,
    needsSecondFactor: await findSecondFactorRequired(ctx.db),
    mayRequireSecondFactor: mayRequireSecondFactor(session, signIns.get(actor.id)),
    restoredAt: (await findTeamRestored(ctx.db))?.toISOString() ?? null,
    mayConfirm: isRoot(ctx, actor),
  };
}

function secondFactorOf(signIn: LastSignIn | undefined): TeamMember["secondFactor"] {
  if (signIn && typeof signIn.usedSecondFactor === "boolean") return signIn.usedSecondFactor ? "on" : "off";
  return signIn?.isTold === false ? "provider" : "unknown";
}

/** Otherwise the first owner who requires one would lock everybody out. */
function mayRequireSecondFactor(
  { usedSecondFactor }: SignedIn["session"],
  lastSignIn: LastSignIn | undefined,
): Team["mayRequireSecondFactor"] {
  if (usedSecondFactor) return "yes";
  return lastSignIn?.isTold === false ? "provider-decides" : "sign-in-with-one";
}

async function describeInvitations(ctx: Context): Promise<TeamInvitation[]> {
  const rows = await invitations.listRoleInvitations(ctx.db, ctx.clock.now());
  const authors = await listUsers(
    ctx.db,
    rows.map(({ authorId }) => authorId),
  );
  return rows.map(({ id, email, role, authorId, expiresAt, sentAt }) => {
    const author = authors.find((one) => one.id === authorId) ?? null;
    return {
      id,
      email,
      role,
      author: nameOf(author),
      isVoid: author === null || !userMay(ctx, author, "team:write"),
      expiresAt: expiresAt.toISOString(),
      sentAt: sentAt?.toISOString() ?? null,
    };
  });
}

function waitsFor({ emailVerified, accountStatus }: User): TeamMember["waitsFor"] {
  if (!emailVerified) return "confirmation";
  return accountStatus === suspended ? "reactivation" : null;
}

/** The team and coaches whose role has the permission. */
export async function listWhoMay(ctx: Context, permission: Permission): Promise<{ userId: string; role: Role }[]> {
  const coaches = await listActiveCoaches(ctx.db);
  const found: { userId: string; role: Role }[] = [];
  for (const user of await listTeamRows(
    ctx,
    coaches.map(({ userId }) => userId),
  )) {
    const role = await anyRoleOf(ctx, user);
    if (role && roleMay(role, permission)) found.push({ userId: user.id, role });
  }
  return found;
}

/** Shows what `changeRole` would do, and changes nothing. @throws Refusal not-found, and as `changeRole` */
export async function previewRole(ctx: Context, email: string, to: StaffRole | null): Promise<RoleChange> {
  const found = await findUserByEmail(ctx.db, email);
  if (to && (!found || (!found.emailVerified && !found.role))) {
    await requireInvitable(ctx, ctx.db, { email, role: to });
    return { userId: null, name: email, email, from: null, to, ...compare({ from: null, to }), endsSessions: false };
  }
  if (!found) throw notFound("account");
  // A transaction only for its locks.
  return ctx.db.transaction((tx) => requireChange(ctx, tx, found.id, to));
}

/** @throws Refusal not-found, not-allowed, conflict, last-administrator. */
export async function changeRole(
  ctx: Context,
  { actor, userId, reason }: { readonly actor: User; readonly userId: string; readonly reason: string },
  { from, to }: { readonly from: StaffRole | null; readonly to: StaffRole | null },
): Promise<void> {
  await audited(ctx, { actor, action: "change role", subject: userId, reason }, async (tx, now) => {
    const { team, self } = await lockTeamAs(ctx, tx, actor);
    const change = await requireChange(ctx, tx, userId, to);
    if (change.from !== from)
      throw new Refusal("conflict", "This role has changed since you opened the page. Reload it.");
    await invitations.forgetRoleInvitations(tx, change.email);
    await makeChange(ctx, tx, { change, userId, team, by: self }, now);
    return { before: { role: from }, after: { role: to } };
  });
}

/** @throws Refusal conflict, too-many-requests, not-allowed. */
export async function inviteToTeam(
  ctx: Context,
  { actor, reason }: { readonly actor: User; readonly reason: string },
  to: { readonly email: string; readonly role: StaffRole },
): Promise<void> {
  const id = newId();
  await audited(ctx, { actor, action: "invite to team", subject: id, reason }, async (tx, now) => {
    await lockTeamAs(ctx, tx, actor);
    await requireInvitable(ctx, tx, to);
    await invitations.openInvitation(tx, { id, ...to, tier: null, authorId: actor.id }, now);
    return { after: { role: to.role } };
  });
}

/** @throws Refusal not-found. */
export async function revokeInvitation(ctx: Context, actor: User, id: string): Promise<void> {
  await audited(ctx, { actor, action: "take back team invitation", subject: id }, async (tx) => ({
    before: { role: (await invitations.deleteInvitation(tx, id, { ofTeam: true })).role },
  }));
}

/** @throws Refusal not-allowed, conflict unless the actor's own session began with a second factor. */
export async function requireSecondFactor(
  ctx: Context,
  { user: actor, session }: SignedIn,
  isRequired: boolean,
): Promise<void> {
  const action = isRequired ? "require second factor" : "stop requiring second factor";
  await audited(ctx, { actor, action, subject: "team" }, async (tx, now) => {
    await lockTeamAs(ctx, tx, actor);
    const obstacle = mayRequireSecondFactor(session, (await listLastSignIns(tx, [actor.id])).get(actor.id));
    if (isRequired && obstacle !== "yes") throw new Refusal("conflict", obstacles[obstacle]);
    const before = { isRequired: await findSecondFactorRequired(tx) };
    await setSecondFactorRequired(tx, isRequired, now);
    return { before, after: { isRequired } };
  });
}

const obstacles = {
  "sign-in-with-one":
    "Turn on a second factor for your own account and sign in with it first. Then you can require one.",
  "provider-decides": "Your sign-in provider doesn't tell us who has a second factor. Require one there.",
};

/**
 * Only owners of ADMIN_EMAILS: others may have been dismissed after the backup.
 * @throws Refusal not-allowed, conflict.
 */
export async function confirmTeam(ctx: Context, actor: User, restoredAt: Date): Promise<void> {
  if (!isRoot(ctx, actor)) {
    throw new Refusal(
      "not-allowed",
      "Only an owner set in the server’s configuration can confirm the team after a restore.",
    );
  }
  await audited(ctx, { actor, action: "confirm restored team", subject: "team" }, async (tx) => {
    if (!(await confirmRestoredTeam(tx, restoredAt))) {
      throw new Refusal(
        "conflict",
        "This restore has already been confirmed, or there was another one. Reload the page.",
      );
    }
    return { after: { restoredAt: restoredAt.toISOString() } };
  });
}

/**
 * Runs in the transaction that accepts the invitation, with the team locked. Checks all conditions again, as inviter,
 * person and address may have changed since the invitation.
 * @throws Refusal conflict, not-allowed.
 */
export async function giveInvitedRole(
  ctx: Context,
  tx: Db,
  { id: userId }: User,
  { id: invitation, role: to, authorId }: invitations.RoleInvitation,
  now: Date,
): Promise<void> {
  if (await findTeamRestored(tx)) {
    throw new Refusal("conflict", "The academy was restored from a backup. An owner must confirm the team first.");
  }
  const team = await lockTeam(ctx, tx);
  const by = team.find(({ id }) => id === authorId);
  if (!by || !userMay(ctx, by, "team:write")) {
    throw new Refusal("conflict", "The person who invited you can no longer give roles. Ask for another invitation.");
  }
  const change = await requireChange(ctx, tx, userId, to);
  if (change.from) throw new Refusal("conflict", "You already have a role. An owner can change it.");
  await makeChange(ctx, tx, { change, userId, team, by }, now);
  const [before, after] = [{ role: null }, { role: to, invitation }];
  await recordAudit(tx, { actor: userId, action: "accept role", subject: userId, before, after }, now);
}

/**
 * Locks the team and checks the actor's role again: of two owners who take each other's role at once the second must
 * fail.
 */
async function lockTeamAs(ctx: Context, tx: Db, actor: User): Promise<{ team: User[]; self: User }> {
  const team = await lockTeam(ctx, tx);
  const self = team.find(({ id }) => id === actor.id);
  if (!self || !userMay(ctx, self, "team:write")) throw new Refusal("not-allowed", "You're no longer an owner.");
  return { team, self };
}

interface Made {
  readonly change: RoleChange;
  readonly userId: string;
  /** The team before the change. */
  readonly team: readonly User[];
  readonly by: User;
}

/** Changes the role, ends the person's sign-ins if it gives more, and emails the person and the owners. */
async function makeChange(ctx: Context, tx: Db, { change, userId, team, by }: Made, now: Date): Promise<void> {
  const { from, to, email: member, endsSessions } = change;
  await setRole(tx, userId, to, now);
  if (endsSessions) await endSessionsOf(tx, userId, now);
  const occasion = newId();
  await postEmail(tx, roleChangedEmail, { userId, occasion, facts: { from, to } }, now);
  for (const owner of team.filter((one) => roleOf(ctx, one) === "owner" && one.id !== userId)) {
    const facts = { from, to, member, actor: by.email };
    await postEmail(tx, teamChangedEmail, { userId: owner.id, occasion, facts }, now);
  }
}

/** @throws Refusal conflict. */
async function requireInvitable(
  ctx: Context,
  db: Db,
  to: { readonly email: string; readonly role: StaffRole },
): Promise<void> {
  if (ctx.administratorEmails.includes(to.email)) {
    throw new Refusal(
      "conflict",
      "The server’s configuration already makes this address an owner, once an account confirms it.",
    );
  }
  await invitations.requireInvitable(db, to, ctx.clock.now());
}

/** @throws Refusal. */
async function requireChange(ctx: Context, tx: Db, userId: string, to: StaffRole | null): Promise<RoleChange> {
  const team = await lockTeam(ctx, tx);
  await userById(tx, userId);
  const user = await lockUser(tx, userId);
  if (user.accountStatus === deleted) throw notFound("account");
  const from = user.role;
  requirePossible({
    from,
    to,
    isRoot: isRoot(ctx, user),
    isConfirmed: user.emailVerified,
    isSuspended: user.accountStatus === suspended,
    otherOwners: team.filter((one) => one.id !== userId && roleOf(ctx, one) === "owner").length,
  });
  const { gains, loses } = compare({ from, to });
  return { userId, name: nameOf(user), email: user.email, from, to, gains, loses, endsSessions: gains.length > 0 };
}
