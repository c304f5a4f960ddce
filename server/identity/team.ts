import { and, asc, eq, inArray, isNotNull, or, sql } from "drizzle-orm";
import type { StaffRole } from "#contract/roles.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { users } from "./tables.ts";
import { roleOf, type User } from "./users.ts";

/** Locks everybody with a role in the administration, and so serializes decisions about roles. Take this lock first. */
export async function lockTeam(ctx: Context, tx: Db): Promise<User[]> {
  const rows = await tx.select().from(users).where(ofTeam(ctx)).orderBy(asc(users.id)).for("update");
  return rows.filter((user) => roleOf(ctx, user) !== null);
}

/** A superset: `roleOf` decides whose role counts. */
export function ofTeam(ctx: Context) {
  return or(isNotNull(users.role), inArray(sql`lower(${users.email})`, [...ctx.administratorEmails]));
}

export async function setRole(tx: Db, userId: string, role: StaffRole | null, now: Date): Promise<void> {
  await tx.update(users).set({ role, updatedAt: now }).where(eq(users.id, userId));
}

/** Take its lock before any other. @throws Refusal last-administrator. */
export async function requireAnotherOwner(ctx: Context, tx: Db, user: User): Promise<void> {
  if (roleOf(ctx, user) !== "owner") return;
  const team = await lockTeam(ctx, tx);
  if (team.some((one) => one.id !== user.id && roleOf(ctx, one) === "owner")) return;
  throw new Refusal("last-administrator", "You're the only owner. Make someone else an owner before you leave.");
}

/** Those of these users whose role is support. */
export async function listSupport(db: Db, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  const isSupport = and(inArray(users.id, [...userIds]), eq(users.role, "support"));
  const rows = userIds.length === 0 ? [] : await db.select({ id: users.id }).from(users).where(isSupport);
  return new Set(rows.map(({ id }) => id));
}
