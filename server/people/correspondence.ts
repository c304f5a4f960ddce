import type { Correspondence } from "#contract/admin/people.ts";
import { audited } from "#server/audit/audit.ts";
import type { Context } from "#server/context/context.ts";
import { newId } from "#server/db/id.ts";
import { listPeople, nameOf } from "#server/identity/names.ts";
import { liveUserById, lockLiveUser, type User } from "#server/identity/users.ts";
import { addNote, deleteNote, listMailsTo, listNotesAbout, writeToPerson } from "./people.ts";

/** @throws Refusal not-found. */
export async function describeCorrespondence(ctx: Context, userId: string): Promise<Correspondence> {
  await liveUserById(ctx.db, userId);
  const [notes, mails] = await Promise.all([listNotesAbout(ctx.db, userId), listMailsTo(ctx.db, userId)]);
  const authors = await listPeople(
    ctx.db,
    [...notes, ...mails].map(({ authorId }) => authorId),
  );
  const authorOf = (authorId: string) => nameOf(authors.find(({ id }) => id === authorId) ?? null);
  return {
    notes: notes.map(({ id, text, authorId, writtenAt }) => ({
      id,
      text,
      author: authorOf(authorId),
      writtenAt: writtenAt.toISOString(),
    })),
    mails: mails.map(({ id, subject, text, authorId, writtenAt, sentAt }) => ({
      id,
      subject,
      text,
      author: authorOf(authorId),
      writtenAt: writtenAt.toISOString(),
      sentAt: sentAt?.toISOString() ?? null,
    })),
  };
}

interface About {
  readonly actor: User;
  readonly userId: string;
}

/** @throws Refusal not-found, too-many-requests. */
export async function write(ctx: Context, { actor, userId }: About, mail: { subject: string; text: string }) {
  await audited(ctx, { actor, action: "write to user", subject: userId }, async (tx, now) => {
    await lockLiveUser(tx, userId);
    return { after: { mailId: await writeToPerson(tx, { userId, authorId: actor.id, ...mail }, now) } };
  });
}

/** Audited under the note's id: what is audited under a person's is in that person's archive. @throws Refusal not-found. */
export async function note(ctx: Context, { actor, userId }: About, text: string): Promise<void> {
  const id = newId();
  await audited(ctx, { actor, action: "add note", subject: id }, async (tx, now) => {
    await lockLiveUser(tx, userId);
    await addNote(tx, { id, userId, authorId: actor.id, text }, now);
    return { after: { user: userId } };
  });
}

/** @throws Refusal not-found. */
export async function removeNote(ctx: Context, { actor, userId }: About, id: string): Promise<void> {
  await audited(ctx, { actor, action: "delete note", subject: id }, async (tx) => {
    await deleteNote(tx, { id, userId });
    return { before: { user: userId } };
  });
}
