import { asc, eq } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { auditLog } from "./tables.ts";

/** Records an administrator's action in the audit log. */
export async function recordAudit(
  db: Db,
  entry: {
    /** The administrator's user id. */
    readonly actor: string;
    readonly action: string;
    /** The id of what was acted on. */
    readonly subject: string;
    readonly before?: unknown;
    readonly after?: unknown;
    readonly reason?: string | undefined;
  },
  now: Date,
): Promise<void> {
  await db.insert(auditLog).values({ ...entry, reason: entry.reason ?? null, createdAt: now });
}

/** The actions on a user, oldest first, without the administrators' names. */
export function listAuditAbout(db: Db, userId: string) {
  const { action, before, after, reason, createdAt } = auditLog;
  return db
    .select({ action, before, after, reason, createdAt })
    .from(auditLog)
    .where(eq(auditLog.subject, userId))
    .orderBy(asc(createdAt));
}
