import { and, asc, desc, eq, gte, inArray, lte } from "drizzle-orm";
import { z } from "zod";
import { after } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { orphanedAfter } from "./polling.ts";
import { countInStates, isCharge } from "./queries.ts";
import { openStates } from "./states.ts";
import { type AttemptRow, paymentAttempts } from "./tables.ts";

export {
  charges,
  countOthersWithCard,
  countUnknown,
  declinedRenewals,
  isCharge,
  listReceiptNumbers,
  openPayments,
  sumCharged,
} from "./queries.ts";
export { type AttemptState, isOpen, openStates } from "./states.ts";
export type { AttemptRow } from "./tables.ts";

const Polled = z.object({ attemptId: z.string(), poll: z.int() });
export const resolvePaymentJob = defineJob("resolve-payment", Polled, { lane: "gateway" });

/** Commit before the gateway is called. Also schedules a poll, in case the process dies. */
export async function recordSent(
  tx: Db,
  attempt: Omit<typeof paymentAttempts.$inferInsert, "state">,
): Promise<AttemptRow> {
  const [row] = await tx
    .insert(paymentAttempts)
    .values({ ...attempt, state: "sent" })
    .returning();
  if (!row) throw new Error("an insert returned no row");
  await schedulePoll(tx, row.id, 0, after(row.sentAt, orphanedAfter), row.sentAt);
  return row;
}

/** Poll 0 only concerns an attempt whose process may have died. */
export async function schedulePoll(db: Db, attemptId: string, poll: number, runAt: Date, now: Date): Promise<void> {
  const key = `${attemptId}:${poll}:${runAt.getTime()}`;
  await scheduleJob(db, resolvePaymentJob, { data: { attemptId, poll }, key, runAt, now });
}

export async function findAttempt(
  db: Db,
  where: { id: string } | { idempotencyKey: string },
): Promise<AttemptRow | null> {
  const condition =
    "id" in where ? eq(paymentAttempts.id, where.id) : eq(paymentAttempts.idempotencyKey, where.idempotencyKey);
  const [row] = await db.select().from(paymentAttempts).where(condition);
  return row ?? null;
}

/** Locks the attempt until the transaction ends. Lock its student first. */
export async function lockAttempt(tx: Db, id: string): Promise<AttemptRow> {
  const [row] = await tx.select().from(paymentAttempts).where(eq(paymentAttempts.id, id)).for("update");
  if (!row) throw new Error(`there is no payment attempt ${id}`);
  return row;
}

export async function hasOpenAttempt(db: Db, userId: string): Promise<boolean> {
  return (await listOpenAttempts(db, userId)).length > 0;
}

/** Attempts without a known outcome, the oldest first. */
export function listOpenAttempts(db: Db, userId: string): Promise<{ id: string; sentAt: Date }[]> {
  return db
    .select({ id: paymentAttempts.id, sentAt: paymentAttempts.sentAt })
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.userId, userId), inArray(paymentAttempts.state, [...openStates])))
    .orderBy(asc(paymentAttempts.sentAt));
}

/** Open attempts of all students, the oldest first. */
export function listOpenSent(
  db: Db,
  { sentSince, sentBy }: { readonly sentSince: Date; readonly sentBy: Date },
): Promise<{ id: string }[]> {
  const isSent = and(gte(paymentAttempts.sentAt, sentSince), lte(paymentAttempts.sentAt, sentBy));
  return db
    .select({ id: paymentAttempts.id })
    .from(paymentAttempts)
    .where(and(inArray(paymentAttempts.state, [...openStates]), isSent))
    .orderBy(asc(paymentAttempts.sentAt));
}

/** Approved attempts, the newest first. */
export function listCharges(db: Db, purchaseId: string): Promise<AttemptRow[]> {
  return db
    .select()
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.purchaseId, purchaseId), isCharge))
    .orderBy(desc(paymentAttempts.sentAt), desc(paymentAttempts.id));
}

/** In any state. */
export function listChargesOfStudent(db: Db, userId: string): Promise<AttemptRow[]> {
  return db
    .select()
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.userId, userId), isCharge));
}

export async function findLastCharge(db: Db, purchaseId: string): Promise<AttemptRow | null> {
  const [newest] = await listCharges(db, purchaseId);
  return newest ?? null;
}

export function countUnresolvedPayments(db: Db): Promise<number> {
  return countInStates(db, openStates);
}

/** Call in the transaction that records the attempt, so that the resolver knows the card too. */
export async function notePaymentProfile(db: Db, attemptId: string, paymentProfileId: string): Promise<void> {
  await db.update(paymentAttempts).set({ paymentProfileId }).where(eq(paymentAttempts.id, attemptId));
}
