import { and, desc, inArray, sql } from "drizzle-orm";
import { auditLog } from "#server/admin/tables.ts";
import type { Db } from "#server/db/db.ts";

/** The last hold, suspension or reactivation of each account by an administrator. */
export function listLastBlockings(db: Db, userIds: readonly string[]) {
  return db
    .selectDistinctOn([auditLog.subject], { subject: auditLog.subject, id: auditLog.id })
    .from(auditLog)
    .where(
      and(
        sql`${auditLog.subject} = any(${sql.param([...userIds])})`,
        inArray(auditLog.action, ["hold account", "suspend account", "reactivate account"]),
      ),
    )
    .orderBy(auditLog.subject, desc(auditLog.createdAt), desc(auditLog.id));
}
