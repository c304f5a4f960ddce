import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { auditLog } from "./tables.ts";

export async function recordAudit(
  db: Db,
  entry: {
    readonly id?: string | undefined;
    readonly actor: string;
    readonly action: string;
    readonly subject: string;
    readonly before?: unknown;
    readonly after?: unknown;
    readonly reason?: string | undefined;
  },
  now: Date,
): Promise<void> {
  const { id, ...written } = entry;
  await db
    .insert(auditLog)
    .values({ ...written, ...(id !== undefined && { id }), reason: entry.reason ?? null, createdAt: now });
}

/** The last hold, suspension or reactivation of each account by somebody of the team. */
export function listLastBlockings(db: Db, userIds: readonly string[]) {
  return db
    .selectDistinctOn([auditLog.subject], {
      ...{ subject: auditLog.subject, id: auditLog.id, action: auditLog.action, actor: auditLog.actor },
    })
    .from(auditLog)
    .where(
      and(
        sql`${auditLog.subject} = any(${sql.param([...userIds])})`,
        inArray(auditLog.action, ["hold account", "suspend account", "reactivate account"]),
      ),
    )
    .orderBy(auditLog.subject, desc(auditLog.createdAt), desc(auditLog.id));
}

/** Entries about a user, without the administrators' names. */
export function listAuditAbout(db: Db, userId: string) {
  const { action, before, after, reason, createdAt } = auditLog;
  return db
    .select({ action, before, after, reason, createdAt })
    .from(auditLog)
    .where(eq(auditLog.subject, userId))
    .orderBy(asc(createdAt));
}
