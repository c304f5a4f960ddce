import { and, eq } from "drizzle-orm";
import type { BodyOf } from "#contract/endpoint.ts";
import { maxNotesOfLesson, type Note, type saveNote as saveNoteCall } from "#contract/notes.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { lockLiveUser, type User } from "#server/identity/users.ts";
import { watchableLesson } from "#server/lessons/lessons.ts";
import { findNoteRow, listNoteRows, type NoteRow } from "./queries.ts";
import { nearestFreeSecond } from "./rules.ts";
import { notes } from "./tables.ts";

export async function listNotesOf(db: Db, userId: string): Promise<Note[]> {
  return (await listNoteRows(db, userId)).map(present);
}

/**
 * Repeatable by its id. A stored note can be changed without access to its lesson.
 * @throws Refusal not-found for the note of somebody else; conflict when its text is neither the new nor the replaced
 * one, or when the lesson has as many as it may; for a new note as `watchableLesson`.
 */
export async function saveNote(
  ctx: Context,
  student: User,
  id: string,
  { lessonId, at, text, replaces }: BodyOf<typeof saveNoteCall>,
): Promise<Note> {
  const isNew = (await findNoteRow(ctx.db, id)) === null;
  const lesson = isNew ? await watchableLesson(ctx, student, lessonId) : null;
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    // Locks the student: otherwise two concurrent requests could both add the last allowed note, or replace one text.
    await lockLiveUser(tx, student.id);
    const stored = await findNoteRow(tx, id);
    if (stored) {
      if (stored.userId !== student.id) throw notFound("note");
      if (![text, replaces].includes(stored.text ?? "")) {
        throw new Refusal("conflict", "You've changed this note in another tab or on another device.");
      }
      const changed = { text: text || null, updatedAt: now };
      await tx.update(notes).set(changed).where(eq(notes.id, id));
      return present({ ...stored, ...changed });
    }
    // Deleted between the two look-ups.
    if (!lesson) throw notFound("note");
    const others = await tx
      .select({ at: notes.at })
      .from(notes)
      .where(and(eq(notes.userId, student.id), eq(notes.lessonId, lesson.id)));
    if (others.length >= maxNotesOfLesson) {
      throw new Refusal("conflict", `You can have up to ${maxNotesOfLesson} notes in a lesson. Delete one first.`);
    }
    const second = nearestFreeSecond(Math.min(at, lesson.durationSeconds), new Set(others.map((other) => other.at)));
    const [row] = await tx
      .insert(notes)
      .values({
        id,
        userId: student.id,
        lessonId: lesson.id,
        at: second,
        text: text || null,
        createdAt: now,
        updatedAt: now,
      })
      .onConflictDoNothing()
      .returning();
    // Somebody else has taken the id meanwhile.
    if (!row) throw notFound("note");
    return present(row);
  });
}

export async function deleteNote(ctx: Context, student: User, id: string): Promise<void> {
  await ctx.db.delete(notes).where(and(eq(notes.id, id), eq(notes.userId, student.id)));
}

export async function forgetNotes(tx: Db, userId: string): Promise<void> {
  await tx.delete(notes).where(eq(notes.userId, userId));
}

function present({ id, lessonId, at, text, createdAt }: NoteRow): Note {
  return { id, lessonId, at, text: text ?? "", createdAt: createdAt.toISOString() };
}
