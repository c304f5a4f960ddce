import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { auditLog } from "./tables.ts";

export async function recordAudit(
  db: Db,
  entry: {
    readonly id?: string | undefined;
    readonly actor: string;
    readonly token?: string | undefined;
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

export async function hasAuditEntry(db: Db, id: string): Promise<boolean> {
  return (await db.$count(auditLog, eq(auditLog.id, id))) > 0;
}

interface Actor {
  readonly id: string;
  /** By which another tool acts in the actor's name. */
  readonly token?: { readonly name: string } | undefined;
}

/** Who acts, as `recordAudit` takes it. */
export function actorOf({ id, token }: Actor) {
  return { actor: id, token: token?.name };
}

/** The fields that an action changed, before and after. None of them names a person. */
export interface Change {
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Makes a change and records it in the audit log, in one transaction. */
export async function audited<Result extends Change>(
  ctx: Context,
  entry: {
    /** The id of the entry in the audit log; a new one when absent. */
    readonly id?: string | undefined;
    readonly actor: Actor;
    /** Such as `hold account`. */
    readonly action: string;
    readonly subject: string;
    readonly reason?: string | undefined;
  },
  change: (tx: Db, now: Date) => Promise<Result>,
): Promise<Result> {
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const result = await change(tx, now);
    const { before, after } = result;
    await recordAudit(tx, { ...entry, ...actorOf(entry.actor), before, after }, now);
    return result;
  });
}

export function differences(before: Record<string, unknown>, after: Record<string, unknown>): Required<Change> {
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const pick = (from: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
  return { before: pick(before), after: pick(after) };
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
