import { eq, sql } from "drizzle-orm";
import type { Audience } from "#contract/admin/announcements.ts";
import { DAY } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import type { RetentionRule } from "#server/db/retention.ts";
import { announcementSelections, announcements } from "./tables.ts";

/** Stores the selected people. @returns their audience. */
export async function selectAudience(db: Db, userIds: readonly string[], now: Date): Promise<Audience> {
  const id = newId();
  await db.execute(sql`
    insert into ${announcementSelections} (selection_id, user_id, created_at)
    select ${id}, user_id, ${now.toISOString()}::timestamptz from unnest(${sql.param([...userIds])}::text[]) as chosen (user_id)`);
  return `selection:${id}`;
}

export async function forgetSelections(tx: Db, userId: string): Promise<void> {
  await tx.delete(announcementSelections).where(eq(announcementSelections.userId, userId));
}

/** A draft that is neither sent nor scheduled by then has no recipients. */
export const selectionRetention: RetentionRule = {
  table: announcementSelections,
  from: announcementSelections.createdAt,
  keptFor: 90 * DAY,
  where: () => sql`not exists (
    select from ${announcements} as announcement
    where announcement.state = 'scheduled' and announcement.audience = 'selection:' || ${announcementSelections.selectionId}
  )`,
};
