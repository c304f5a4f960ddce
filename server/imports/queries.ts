import { and, eq, gt, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { listGrantsOfMany } from "#server/access/access.ts";
import { batchesOf } from "#server/batches/batches.ts";
import type { Db } from "#server/db/db.ts";
import type { User } from "#server/identity/users.ts";
import { listCompletedElsewhere } from "#server/progress/elsewhere.ts";
import { findSubscriptionStates } from "#server/subscriptions/account-states.ts";
import type { Holder } from "./rules.ts";
import { importRows, imports } from "./tables.ts";

export type ImportEntry = typeof imports.$inferSelect;
export type RowEntry = typeof importRows.$inferSelect;

export const importBatches = batchesOf("import-students", {
  noun: "import",
  batches: imports,
  people: importRows,
  person: importRows.id,
  batchOf: importRows.importId,
  unreached: { outcome: "stopped" },
});

/** What these people have, in their order. */
export async function listHolders(db: Db, users: readonly User[]): Promise<Holder[]> {
  const ids = users.map(({ id }) => id);
  const grants = await listGrantsOfMany(db, ids);
  const states = await findSubscriptionStates(db, ids);
  const lessons = await listCompletedElsewhere(db, ids);
  return users.map(({ id, accountStatus }, at) => {
    const state = states.get(id);
    return {
      id,
      accountStatus,
      grants: grants[at] ?? [],
      pays: state !== undefined && (state.renews || state.isDeclined || state.waitsForPayment),
      completed: new Set(lessons[at]),
    };
  });
}

/** The invitations of these addresses that nobody has claimed. */
export function listInvited(db: Db, emails: readonly string[]): Promise<RowEntry[]> {
  return db
    .select()
    .from(importRows)
    .where(and(inArray(importRows.outcome, ["invited"]), sql`${importRows.email} = any(${sql.param([...emails])})`));
}

/** An invitation that was not emailed and still gives something. */
export function isUnsent(now: Date): SQL | undefined {
  const { outcome, mayEmail, sentAt, endsAt } = importRows;
  const lasts = or(isNull(endsAt), gt(endsAt, now));
  return and(inArray(outcome, ["invited"]), eq(mayEmail, true), isNull(sentAt), lasts);
}

/** Makes a sign-in and an import of the same address wait for each other. Lock the user first. */
export async function lockAddress(tx: Db, email: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`import of ${email}`}, 0))`);
}

export async function setRow(tx: Db, id: string, values: Partial<RowEntry>): Promise<void> {
  await tx.update(importRows).set(values).where(eq(importRows.id, id));
}
