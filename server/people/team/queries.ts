import { and, inArray, ne, or } from "drizzle-orm";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { users } from "#server/identity/tables.ts";
import { ofTeam } from "#server/identity/team.ts";
import { deleted, type User } from "#server/identity/users.ts";

/** The team, and people with one of the addresses `others`. */
export function listTeamRows(ctx: Context, others: readonly string[]): Promise<User[]> {
  return ctx.db
    .select()
    .from(users)
    .where(and(or(ofTeam(ctx), inArray(users.id, [...others])), ne(users.accountStatus, deleted)));
}

export function listUsers(db: Db, ids: readonly string[]): Promise<User[]> {
  return db
    .select()
    .from(users)
    .where(inArray(users.id, [...ids]));
}
