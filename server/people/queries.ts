import { and, asc, eq, sql } from "drizzle-orm";
import type { Paging } from "#contract/admin/admin.ts";
import type { Db } from "#server/db/db.ts";
import { requireRowBefore } from "#server/db/paging.ts";
import { users } from "#server/identity/tables.ts";
import { bulkActionPeople } from "./tables.ts";

/** The people of an action, done or skipped, in their order. */
export function listPeopleOf(db: Db, id: string, outcome: "done" | "skipped", after?: string) {
  const last = sql`(select number from ${bulkActionPeople} as last where last.bulk_action_id = ${id} and last.user_id = ${after})`;
  const { email, emailVerified, firstName, lastName, purchasedTier, accountStatus, role } = users;
  const user = { id: users.id, email, emailVerified, firstName, lastName, purchasedTier, accountStatus, role };
  return db
    .select({ person: bulkActionPeople, user })
    .from(bulkActionPeople)
    .innerJoin(users, eq(users.id, bulkActionPeople.userId))
    .where(and(isOf(id, outcome), after ? sql`${bulkActionPeople.number} > ${last}` : undefined))
    .orderBy(asc(bulkActionPeople.number));
}

export async function listPageOfPeople(db: Db, id: string, outcome: "done" | "skipped", { limit, after }: Paging) {
  const rows = await listPeopleOf(db, id, outcome, after).limit(limit);
  if (after && rows.length === 0) {
    const { bulkActionId, userId } = bulkActionPeople;
    await requireRowBefore(db, bulkActionPeople, and(eq(bulkActionId, id), eq(userId, after)));
  }
  return { rows, total: after ? null : await db.$count(bulkActionPeople, isOf(id, outcome)) };
}

function isOf(id: string, outcome: "done" | "skipped") {
  return and(eq(bulkActionPeople.bulkActionId, id), eq(bulkActionPeople.outcome, outcome));
}
