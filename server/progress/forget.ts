import { eq } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { courseProgress, lessonsCompletedElsewhere, playerChoices } from "./tables.ts";

export async function forgetProgress(tx: Db, userId: string): Promise<void> {
  await tx.delete(courseProgress).where(eq(courseProgress.userId, userId));
  await tx.delete(lessonsCompletedElsewhere).where(eq(lessonsCompletedElsewhere.userId, userId));
  await tx.delete(playerChoices).where(eq(playerChoices.userId, userId));
}
