import { asc, eq } from "drizzle-orm";
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

/** Entries about a user, without the administrators' names. */
export function listAuditAbout(db: Db, userId: string) {
  const { action, before, after, reason, createdAt } = auditLog;
  return db
    .select({ action, before, after, reason, createdAt })
    .from(auditLog)
    .where(eq(auditLog.subject, userId))
    .orderBy(asc(createdAt));
}
