import { and, eq } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { findOperationalMark } from "#server/db/operational-marks.ts";
import { operationalMarks } from "#server/db/tables.ts";

/** A restore writes this mark: the roles are those of the backup, also of people who were dismissed since. */
export const teamRestoredKey = "team-restored";

/** When a backup was restored; null once the team is confirmed. */
export async function findTeamRestored(db: Db): Promise<Date | null> {
  return (await findOperationalMark(db, teamRestoredKey))?.updatedAt ?? null;
}

/** @returns whether that restore was still unconfirmed */
export async function confirmRestoredTeam(tx: Db, restoredAt: Date): Promise<boolean> {
  const confirmed = await tx
    .delete(operationalMarks)
    .where(and(eq(operationalMarks.name, teamRestoredKey), eq(operationalMarks.updatedAt, restoredAt)))
    .returning({ name: operationalMarks.name });
  return confirmed.length > 0;
}
