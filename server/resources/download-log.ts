import { eq } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { resourceDownloads } from "./tables.ts";

/** Takes a student's downloads out of the log; the counts of the resources stay. */
export async function forgetDownloads(tx: Db, userId: string): Promise<void> {
  await tx.delete(resourceDownloads).where(eq(resourceDownloads.userId, userId));
}
