import type { z } from "zod";
import type { AdminContact, ContactDetail, ContactFilter, ContactListQuery } from "#contract/admin/contacts.ts";
import { Tier } from "#contract/tiers.ts";
import { notFound } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { RowSelection } from "#server/db/paging.ts";
import { nameOf } from "#server/identity/names.ts";
import * as find from "./admin-queries.ts";
import { answersVersionOf } from "./inbox.ts";

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

function presentContact({ contact, userId, replies }: find.ContactWithSender): AdminContact {
  return { ...contact, userId, replies, createdAt: contact.createdAt.toISOString() };
}
