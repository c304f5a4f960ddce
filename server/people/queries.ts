import { and, asc, eq, sql } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { users } from "#server/identity/tables.ts";
import { bulkActionPeople } from "./tables.ts";

/** The people of an action, done or skipped, in their order. */
export function listPeopleOf(
  db: Db,
  id: string,
  outcome: "done" | "skipped",
  page?: { readonly limit: number; readonly after?: string | undefined },
) {
  const last = sql`(select number from ${bulkActionPeople} as last where last.bulk_action_id = ${id} and last.user_id = ${page?.after})`;
  const { email, emailVerified, firstName, lastName, purchasedTier, accountStatus, role } = users;
  const user = { id: users.id, email, emailVerified, firstName, lastName, purchasedTier, accountStatus, role };
  const rows = db
    .select({ person: bulkActionPeople, user })
    .from(bulkActionPeople)
    .innerJoin(users, eq(users.id, bulkActionPeople.userId))
    .where(
      and(
        eq(bulkActionPeople.bulkActionId, id),
        eq(bulkActionPeople.outcome, outcome),
        page?.after ? sql`${bulkActionPeople.number} > ${last}` : undefined,
      ),
    )
    .orderBy(asc(bulkActionPeople.number));
  return page ? rows.limit(page.limit) : rows;
}
