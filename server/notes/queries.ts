import { asc, eq } from "drizzle-orm";
import { lessons, modules } from "#server/catalogue/tables.ts";
import type { Db } from "#server/db/db.ts";
import { notes } from "./tables.ts";

export type NoteRow = typeof notes.$inferSelect;

/** In the order of the course. */
export async function listNoteRows(db: Db, userId: string): Promise<NoteRow[]> {
  const rows = await db
    .select({ note: notes })
    .from(notes)
    .innerJoin(lessons, eq(lessons.id, notes.lessonId))
    .innerJoin(modules, eq(modules.id, lessons.moduleId))
    .where(eq(notes.userId, userId))
    .orderBy(asc(modules.position), asc(lessons.position), asc(notes.at));
  return rows.map(({ note }) => note);
}

export async function findNoteRow(db: Db, id: string): Promise<NoteRow | null> {
  const [row] = await db.select().from(notes).where(eq(notes.id, id));
  return row ?? null;
}
