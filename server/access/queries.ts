import { asc, eq, min, sql } from "drizzle-orm";
import { type Db, sharedRead } from "#server/db/db.ts";
import type { Grant } from "./rules.ts";
import { grantEnds, grants } from "./tables.ts";

/** Every grant of a student, with the earliest end recorded for each. */
export function listGrants(db: Db, userId: string): Promise<Grant[]> {
  return sharedRead(db, "access_grants", (db, name) =>
    db
      .select({
        id: grants.id,
        tier: grants.tier,
        source: grants.source,
        sourceId: grants.sourceId,
        purchaseId: grants.purchaseId,
        startsAt: grants.startsAt,
        endsAt: grants.endsAt,
        reason: grants.reason,
        endedAt: min(grantEnds.endsAt),
      })
      .from(grants)
      .leftJoin(grantEnds, eq(grantEnds.grantId, grants.id))
      .where(eq(grants.userId, sql.placeholder("userId")))
      .groupBy(grants.id)
      .orderBy(asc(grants.createdAt), asc(grants.id))
      .prepare(name),
  ).execute({ userId });
}
