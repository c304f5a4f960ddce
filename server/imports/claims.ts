import { eq } from "drizzle-orm";
import { isBlocked } from "#server/access/access.ts";
import { recordGrant } from "#server/access/grants.ts";
import { recordAudit } from "#server/audit/audit.ts";
import { after, DAY } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import { lockUser, type User } from "#server/identity/users.ts";
import { listCompletedElsewhere, recordCompletedElsewhere } from "#server/progress/elsewhere.ts";
import { importBatches, listHolders, listInvited, lockAddress, setRow } from "./queries.ts";
import {
  addsPlan,
  type Brought,
  type Decision,
  decideFor,
  endAt,
  grantIdOf,
  planWaitsFor,
  planWaitsReason,
} from "./rules.ts";
import { importRows } from "./tables.ts";

/** How long rows are kept that nothing waits for any more. */
export const rowsKept = 30 * DAY;

/**
 * Gives somebody what an import brought for their confirmed address, once. Of somebody who is on hold or suspended it
 * waits.
 */
export async function claimImported(tx: Db, { id, email }: Pick<User, "id" | "email">, now: Date): Promise<void> {
  const user = await lockUser(tx, id);
  await lockAddress(tx, email);
  const [row] = await listInvited(tx, [email]);
  if (!row || row.deletesAt <= now || isBlocked(user.accountStatus)) return;
  const { fate, reason, planWaits } = await giveTo(tx, user, row, now);
  if (planWaits) {
    return setRow(tx, row.id, { mayEmail: false, reason: planWaitsReason });
  }
  const outcome = fate === "changed" ? "claimed" : "same";
  await setRow(tx, row.id, { outcome, reason, userId: id, closedAt: now, deletesAt: after(now, rowsKept) });
}

interface Given extends Decision {
  /** They pay for a membership, and would get the plan otherwise. */
  readonly planWaits: boolean;
}

/** Adds to what somebody with a confirmed address has. Lock the user first. */
export async function giveTo(
  tx: Db,
  user: User,
  brought: Brought & { readonly importId: string },
  now: Date,
): Promise<Given> {
  const [holder] = await listHolders(tx, [user]);
  if (!holder) throw new Error("a user has no state");
  const decision = { ...decideFor(holder, brought, now), planWaits: planWaitsFor(holder, brought, now) };
  if (decision.fate !== "changed") return decision;
  const { tier } = brought;
  if (tier && addsPlan(holder, brought, now)) {
    const times = { startsAt: now, endsAt: endAt(brought, tier, now) };
    const source = { source: "import", sourceId: grantIdOf(user.id, brought), purchaseId: null } as const;
    await recordGrant(tx, { userId: user.id, tier, ...source, ...times, reason: "Imported" }, now);
    const { authorId: actor } = await importBatches.get(tx, brought.importId);
    const after = { tier, endsAt: times.endsAt, import: brought.importId };
    await recordAudit(tx, { actor, action: "give imported plan", subject: user.id, after }, now);
  }
  await recordCompletedElsewhere(tx, user.id, brought.completed, now);
  return decision;
}

/** For the person's own export. */
export async function exportImported(db: Db, { id, email, emailVerified }: User) {
  const { name, tier, endsAt, completed, outcome, closedAt, sentAt, cells } = importRows;
  const rows = await db
    .select({ name, tier, endsAt, completed, outcome, closedAt, sentAt, cells })
    .from(importRows)
    .where(emailVerified ? eq(importRows.email, email) : eq(importRows.userId, id));
  const [completedElsewhere = []] = await listCompletedElsewhere(db, [id]);
  return { rows, completedElsewhere };
}

/** @param email null while it is not confirmed: rows with it may belong to another person */
export async function forgetImported(tx: Db, userId: string, email: string | null): Promise<void> {
  await tx.delete(importRows).where(eq(importRows.userId, userId));
  if (email) await tx.delete(importRows).where(eq(importRows.email, email));
}
