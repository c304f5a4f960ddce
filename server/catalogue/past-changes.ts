import { eq } from "drizzle-orm";
import { catalogue } from "#content/catalogue.ts";
import { pastChanges, pastReviews } from "#content/history/lesson-changes.ts";
import { after, DAY } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import { lessonChanges, lessons } from "./tables.ts";

/** Writes what changed in lessons during the demo's year, and when they were checked. */
export async function writePastChanges(tx: Db, now: Date): Promise<void> {
  const titles = new Map(catalogue.flatMap((module) => module.lessons).map(({ id, title }) => [id, title]));
  await tx.insert(lessonChanges).values(
    pastChanges.map(({ lessonId, daysAgo, kind, part: [fromSeconds, toSeconds] = [null, null], note }) => ({
      ...{ lessonId, kind, fromSeconds, toSeconds, note, title: titles.get(lessonId) ?? "" },
      at: after(now, -daysAgo * DAY),
    })),
  );
  for (const [moduleId, daysAgo] of Object.entries(pastReviews)) {
    await tx
      .update(lessons)
      .set({ verifiedAt: after(now, -daysAgo * DAY) })
      .where(eq(lessons.moduleId, moduleId));
  }
}
