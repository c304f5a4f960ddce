import { inArray } from "drizzle-orm";
import type { Db } from "#server/db/db.ts";
import { users } from "./tables.ts";
import { deleted } from "./users.ts";

/** The name of a person in lists: the address without a name, and neither after a deletion. */
export function nameOf(
  person: {
    readonly firstName: string | null;
    readonly lastName: string | null;
    readonly email: string;
    readonly accountStatus?: string;
  } | null,
): string {
  if (person === null || person.accountStatus === deleted) return "Deleted account";
  return [person.firstName, person.lastName].filter(Boolean).join(" ") || person.email;
}

/** What `nameOf` needs. */
export function listPeople(db: Db, ids: readonly string[]) {
  return db
    .select({
      id: users.id,
      firstName: users.firstName,
      lastName: users.lastName,
      email: users.email,
      accountStatus: users.accountStatus,
    })
    .from(users)
    .where(inArray(users.id, [...ids]));
}
