import type { z } from "zod";
import type {
  AdminContact,
  ContactDetail,
  ContactFilter,
  ContactListQuery,
  ContactState,
} from "#contract/admin/contacts.ts";
import { Tier } from "#contract/tiers.ts";
import { audited } from "#server/audit/audit.ts";
import { after, DAY } from "#server/base/clock.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { newId } from "#server/db/id.ts";
import type { RowSelection } from "#server/db/paging.ts";
import { nameOf } from "#server/identity/names.ts";
import type { User } from "#server/identity/users.ts";
import { countMail } from "#server/mail/recipients.ts";
import * as find from "./admin-queries.ts";
import { answersVersionOf, eraseMessage, moveMessage, replyToMessage } from "./inbox.ts";

export async function listContacts(ctx: Context, query: ContactListQuery & RowSelection): Promise<AdminContact[]> {
  return (await find.listContactRows(ctx.db, query)).map(presentContact);
}

export async function countContacts(ctx: Context, filter: z.infer<typeof ContactFilter>): Promise<{ total: number }> {
  return { total: await find.countContactRows(ctx.db, filter) };
}

/** @throws Refusal not-found. */
export async function describeContact(ctx: Context, contactId: string): Promise<ContactDetail> {
  const row = await find.findContactRow(ctx.db, contactId);
  if (!row) throw notFound("message");
  const [replies, others, account] = await Promise.all([
    find.listReplyRows(ctx.db, contactId),
    find.listOtherMessages(ctx.db, row.contact),
    row.userId === null ? null : find.findAccount(ctx.db, row.userId),
  ]);
  return {
    contact: presentContact(row),
    replies: replies.map(({ reply, author }) => ({
      id: reply.id,
      text: reply.text,
      author: nameOf(author),
      writtenAt: reply.writtenAt.toISOString(),
      sentAt: reply.sentAt?.toISOString() ?? null,
    })),
    version: answersVersionOf(row.contact, replies.length),
    account: account && {
      ...account,
      name: nameOf(account),
      purchasedTier: Tier.nullable().parse(account.purchasedTier),
      createdAt: account.createdAt.toISOString(),
    },
    others: others.map((other) => ({ ...other, createdAt: other.createdAt.toISOString() })),
  };
}

/** @throws Refusal not-found, too-many-requests, conflict. */
export async function reply(
  ctx: Context,
  actor: User,
  { contactId, text }: { readonly contactId: string; readonly text: string },
  version: string | undefined,
): Promise<void> {
  await audited(ctx, { actor, action: "reply to message", subject: contactId }, async (tx, now) => {
    await countMail(tx, actor.id, now);
    const written = { contactId, authorId: actor.id, text };
    return { after: { replyId: await replyToMessage(tx, written, version, now) } };
  });
}

/** @returns the id of its entry in the audit log. @throws Refusal not-found. */
export async function mark(ctx: Context, actor: User, contactId: string, state: ContactState): Promise<string> {
  const id = newId();
  await audited(ctx, { id, actor, action: "mark message", subject: contactId }, async (tx) => ({
    before: { state: (await moveMessage(tx, contactId, state)).state },
    after: { state },
  }));
  return id;
}

/** All of them or none. @returns as `mark`, of those that were on another pile. */
export async function markMany(
  ctx: Context,
  actor: User,
  contactIds: readonly string[],
  state: ContactState,
): Promise<string[]> {
  return ctx.db.transaction(async (tx) => {
    // In one order: two people who mark the same messages wait for each other, and for nothing else.
    const found = await find.lockMessages(tx, contactIds);
    const marks: string[] = [];
    for (const { id } of found.filter((message) => message.state !== state)) {
      marks.push(await mark({ ...ctx, db: tx }, actor, id, state));
    }
    return marks;
  });
}

const undoFor = 30 * DAY;

/**
 * Of messages with which nothing was done since: the mark is what the audit log says last of them.
 * @returns how many are back. @throws Refusal conflict when none is.
 */
export async function undoMarks(ctx: Context, actor: User, marks: readonly string[]): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const marked = await find.listMarks(tx, marks, after(ctx.clock.now(), -undoFor));
    const subjects = marked.map(({ subject }) => subject);
    await find.lockMessages(tx, subjects);
    const last = new Set(await find.listLastEntries(tx, subjects));
    const undone = marked.filter(({ id }) => last.has(id));
    for (const { subject, before, after } of undone) {
      await audited({ ...ctx, db: tx }, { actor, action: "undo mark of message", subject }, async (tx) => {
        await moveMessage(tx, subject, before.state);
        return { before: after, after: before };
      });
    }
    if (undone.length === 0) throw new Refusal("conflict", "Nothing was put back: something was done with it since.");
    return undone.length;
  });
}

/** With what was answered. @throws Refusal not-found. */
export async function erase(ctx: Context, actor: User, contactId: string, reason: string | undefined): Promise<void> {
  await audited(ctx, { actor, action: "delete message", subject: contactId, reason }, async (tx) => {
    await eraseMessage(tx, contactId);
    return {};
  });
}

function presentContact({ contact, userId, replies }: find.ContactWithSender): AdminContact {
  return { ...contact, userId, replies, createdAt: contact.createdAt.toISOString() };
}
