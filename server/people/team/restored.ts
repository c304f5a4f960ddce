import { and, eq } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { settings } from "#server/settings/tables.ts";

/** A restore writes this row: the roles are those of the backup, also of people who were dismissed since. */
export const teamRestoredKey = "team-restored";

/** When a backup was restored; null once the team is confirmed. */
export async function findTeamRestored(db: Db): Promise<Date | null> {
  const [row] = await db.select().from(settings).where(eq(settings.name, teamRestoredKey));
  return row?.updatedAt ?? null;
}

/** @returns whether that restore was still unconfirmed */
export async function confirmRestoredTeam(tx: Db, restoredAt: Date): Promise<boolean> {
  const confirmed = await tx
    .delete(settings)
    .where(and(eq(settings.name, teamRestoredKey), eq(settings.updatedAt, restoredAt)))
    .returning({ name: settings.name });
  return confirmed.length > 0;
}
