import type { RoleChange, Team, TeamMember } from "#contract/admin/team.ts";
import { roleMay } from "#contract/permissions.ts";
import type { StaffRole } from "#contract/roles.ts";
import { act } from "#server/admin/acting.ts";
import { nameOf } from "#server/admin/names.ts";
import { Refusal } from "#server/base/refusal.ts";
import { listActiveCoaches } from "#server/coaching/coaches.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { endSessionsOf } from "#server/identity/sessions/sessions.ts";
import {
  deleted,
  findUserByEmail,
  isRoot,
  lockTeam,
  lockUser,
  noSuchAccount,
  roleOf,
  setRole,
  suspended,
  type User,
  userById,
} from "#server/identity/users.ts";
import { postEmail } from "#server/mail/student-emails.ts";
import { roleChangedEmail, teamChangedEmail } from "#server/people/role-emails.ts";
import { listLastSignIns, listTeamRows } from "./queries.ts";
import { compare, rankOf, requirePossible } from "./rules.ts";

export async function describeTeam(ctx: Context, actor: User): Promise<Team> {
  const coaches = await listActiveCoaches(ctx.db);
  const coachIds = new Set(coaches.map(({ userId }) => userId));
  const rows = await listTeamRows(ctx, [...coachIds]);
  const signedIn = await listLastSignIns(
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
        lastSignInAt: signedIn.get(user.id)?.toISOString() ?? null,
        mayChange: mayGive && !root && role !== "coach",
      },
    ];
  });
  const claimed = new Set(rows.filter((user) => isRoot(ctx, user)).map(({ email }) => email.toLowerCase()));
  return {
    members: members.toSorted((a, b) => rankOf(a.role) - rankOf(b.role) || a.name.localeCompare(b.name)),
    unclaimed: ctx.administratorEmails.filter((email) => !claimed.has(email)),
    mayGive,
  };
}

function waitsFor({ emailVerified, accountStatus }: User): TeamMember["waitsFor"] {
  if (!emailVerified) return "confirmation";
  return accountStatus === suspended ? "reactivation" : null;
}

/** Changes nothing. @throws Refusal not-found, and as `changeRole`. */
export async function previewRole(ctx: Context, email: string, to: StaffRole | null): Promise<RoleChange> {
  const found = await findUserByEmail(ctx.db, email.toLowerCase());
  if (!found) {
    throw new Refusal("not-found", "Nobody has an account with this address. Invite the person first.");
  }
  // In a transaction for its locks alone, which nothing keeps.
  return ctx.db.transaction((tx) => requireChange(ctx, tx, found.id, to));
}

/** @throws Refusal not-found, not-allowed, conflict, last-administrator. */
export async function changeRole(
  ctx: Context,
  { actor, userId, reason }: { readonly actor: User; readonly userId: string; readonly reason: string },
  { from, to }: { readonly from: StaffRole | null; readonly to: StaffRole | null },
): Promise<void> {
  await act(ctx, { actor, action: "change role", subject: userId, reason }, async (tx, now) => {
    const team = await lockTeam(ctx, tx);
    // Of two owners who take each other's role at the same time, the second one is none any more.
    const self = team.find(({ id }) => id === actor.id);
    if (!self || !roleMay(roleOf(ctx, self), "team:write")) {
      throw new Refusal("not-allowed", "You are no owner any more.");
    }
    const change = await requireChange(ctx, tx, userId, to);
    if (change.from !== from) throw new Refusal("conflict", "The role has changed since. See the team again.");
    await setRole(tx, userId, to, now);
    if (change.endsSessions) await endSessionsOf(tx, userId, now);
    const occasion = newId();
    await postEmail(tx, roleChangedEmail, { userId, occasion, facts: { from, to } }, now);
    const owners = new Set([...team, self].filter((one) => roleOf(ctx, one) === "owner").map(({ id }) => id));
    for (const owner of owners) {
      const facts = { from, to, member: change.email, actor: self.email };
      if (owner !== userId) await postEmail(tx, teamChangedEmail, { userId: owner, occasion, facts }, now);
    }
    return { before: { role: from }, after: { role: to } };
  });
}

/** @throws Refusal. */
async function requireChange(ctx: Context, tx: Db, userId: string, to: StaffRole | null): Promise<RoleChange> {
  const team = await lockTeam(ctx, tx);
  await userById(tx, userId);
  const user = await lockUser(tx, userId);
  if (user.accountStatus === deleted) throw noSuchAccount();
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
