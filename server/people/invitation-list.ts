import type { Page, Paging } from "#contract/admin/admin.ts";
import type { Invitation } from "#contract/admin/invitations.ts";
import type { Tier } from "#contract/tiers.ts";
import { audited } from "#server/audit/audit.ts";
import type { Context } from "#server/context/context.ts";
import { newId } from "#server/db/id.ts";
import { listPeople, nameOf } from "#server/identity/names.ts";
import type { User } from "#server/identity/users.ts";
import * as invitations from "./invitations.ts";

export async function listInvitations({ db, clock }: Context, page: Paging): Promise<Page<Invitation>> {
  const { rows, total } = await invitations.listInvitations(db, clock.now(), page);
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
    await invitations.invite(tx, { id, ...to, role: null, authorId: actor.id }, now);
    return { after: { tier: to.tier } };
  });
}

/** @throws Refusal not-found. */
export async function revoke(ctx: Context, actor: User, id: string): Promise<void> {
  await audited(ctx, { actor, action: "take back invitation", subject: id }, async (tx) => ({
    before: { tier: (await invitations.revokeInvitation(tx, id, { ofTeam: false })).tier },
  }));
}
