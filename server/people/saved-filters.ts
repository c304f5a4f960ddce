import { and, asc, eq, sql } from "drizzle-orm";
import type { SavedFilter } from "#contract/admin/saved-filters.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import { type Db, isUniqueViolation } from "#server/db/db.ts";
import { containsAddress } from "#server/db/email-addresses.ts";
import { lockUser } from "#server/identity/users.ts";
import { savedFilters } from "./tables.ts";

const maxOfList = 30;

const { id, list, name, query } = savedFilters;
const shown = { id, list, name, query };

export function listSavedFilters(db: Db, userId: string): Promise<SavedFilter[]> {
  return db
    .select(shown)
    .from(savedFilters)
    .where(eq(savedFilters.userId, userId))
    .orderBy(asc(list), asc(sql`lower(${name})`));
}

/** @throws Refusal conflict for a name that is taken, or one too many. */
export function saveFilter(db: Db, userId: string, filter: Omit<SavedFilter, "id">, now: Date): Promise<SavedFilter> {
  return db.transaction(async (tx) => {
    // Two simultaneous requests would each see that one more is allowed.
    await lockUser(tx, userId);
    const kept = await tx.$count(savedFilters, and(eq(savedFilters.userId, userId), eq(list, filter.list)));
    if (kept >= maxOfList) {
      throw new Refusal("conflict", `You keep ${maxOfList} filters of this list. Delete one first.`);
    }
    const [saved] = await refuseTaken(
      tx
        .insert(savedFilters)
        .values({ ...filter, userId, createdAt: now })
        .returning(shown),
    );
    return saved as SavedFilter;
  });
}

/** @throws Refusal not-found, conflict for a name that is taken. */
export async function renameFilter(db: Db, own: Own, newName: string): Promise<SavedFilter> {
  const [renamed] = await refuseTaken(
    db.update(savedFilters).set({ name: newName }).where(isOwn(own)).returning(shown),
  );
  if (!renamed) throw notFound("filter");
  return renamed;
}

/** @throws Refusal not-found. */
export async function deleteFilter(db: Db, own: Own): Promise<void> {
  const gone = await db.delete(savedFilters).where(isOwn(own)).returning({ id });
  if (gone.length === 0) throw notFound("filter");
}

interface Own {
  readonly id: string;
  readonly userId: string;
}

function isOwn(own: Own) {
  return and(eq(id, own.id), eq(savedFilters.userId, own.userId));
}

async function refuseTaken<Result>(written: PromiseLike<Result>): Promise<Result> {
  try {
    return await written;
  } catch (error) {
    if (!isUniqueViolation(error, "saved_filters_name_unique")) throw error;
    throw new Refusal("conflict", "You have a filter of this name.");
  }
}

/** Deletes the user's own filters, and other administrators' filters that search for the user's address. */
export async function forgetSavedFilters(
  tx: Db,
  { userId, email }: { readonly userId: string; readonly email: string },
) {
  await tx.delete(savedFilters).where(eq(savedFilters.userId, userId));
  await tx.delete(savedFilters).where(containsAddress(sql`${query} ->> 'search'`, email));
}
