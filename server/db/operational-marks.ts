import { eq } from "drizzle-orm";
import type { Db } from "./db.ts";
import { operationalMarks } from "./tables.ts";

export type OperationalMark = typeof operationalMarks.$inferSelect;

export async function findOperationalMark(db: Db, name: string): Promise<OperationalMark | null> {
  const [row] = await db.select().from(operationalMarks).where(eq(operationalMarks.name, name));
  return row ?? null;
}

/** Adds or replaces the mark. */
export async function recordOperationalMark(db: Db, name: string, value: unknown, now: Date): Promise<void> {
  await db
    .insert(operationalMarks)
    .values({ name, value, updatedAt: now })
    .onConflictDoUpdate({ target: operationalMarks.name, set: { value, updatedAt: now } });
}

/** Returns false when the mark exists already. */
export async function addOperationalMark(db: Db, name: string, value: unknown, now: Date): Promise<boolean> {
  const added = await db
    .insert(operationalMarks)
    .values({ name, value, updatedAt: now })
    .onConflictDoNothing()
    .returning({ name: operationalMarks.name });
  return added.length > 0;
}

export async function deleteOperationalMark(db: Db, name: string): Promise<void> {
  await db.delete(operationalMarks).where(eq(operationalMarks.name, name));
}
