import { and, type Column, eq, gt, inArray, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import type { DiscrepancyKind, ReconciliationQuery } from "#contract/admin/reconciliation.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Db } from "#server/db/db.ts";
import { selectPage } from "#server/db/paging.ts";
import { discrepancies } from "./tables.ts";

export type DiscrepancyRow = typeof discrepancies.$inferSelect;

const isOpen = isNull(discrepancies.resolvedAt);

export interface Discrepancy {
  readonly kind: DiscrepancyKind;
  /** What it is about, unique within its kind: a transaction id, a row's id, a period. */
  readonly subject: string;
  readonly transactionId?: string | null;
  readonly attemptId?: string | null;
  readonly purchaseId?: string | null;
  readonly userId?: string | null;
  /** The id of the wrong row, when it is neither an attempt nor a purchase. */
  readonly subjectId?: string | null;
  /** Contains no personal data. */
  readonly detail?: string | null;
  readonly expectedCents?: number | null;
  readonly foundCents?: number | null;
  /** Whether it reopens when it is found again after a repair. */
  readonly reopens?: boolean;
  /** What was done about it, if it is repaired. */
  readonly resolution?: string;
}

const goneByItself = "No longer differs";

/** Records a discrepancy. Safe to repeat. Returns whether it is new, or reopened. */
export async function recordDiscrepancy(db: Db, discrepancy: Discrepancy, now: Date): Promise<boolean> {
  const { kind, subject, transactionId, attemptId, purchaseId, userId, subjectId, detail } = discrepancy;
  const about = {
    transactionId: transactionId ?? null,
    attemptId: attemptId ?? null,
    purchaseId: purchaseId ?? null,
    userId: userId ?? null,
    subjectId: subjectId ?? null,
    detail: detail ?? null,
    expected: discrepancy.expectedCents ?? null,
    found: discrepancy.foundCents ?? null,
    foundAt: now,
    resolvedAt: discrepancy.resolution ? now : null,
    resolution: discrepancy.resolution ?? null,
    resolvedBy: null,
  };
  // What had gone by itself is back. What somebody repaired is found again in some states of the gateway.
  const isBack = discrepancy.reopens ? isNotNull(discrepancies.resolvedAt) : eq(discrepancies.resolution, goneByItself);
  const written = db
    .insert(discrepancies)
    .values({ key: `${kind}:${subject}`, kind, ...about })
    .onConflictDoUpdate({
      target: discrepancies.key,
      set: about,
      // A repair that failed before has succeeded now.
      setWhere: discrepancy.resolution ? sql`${isBack} or ${discrepancies.resolvedAt} is null` : isBack,
    });
  return (await written.returning({ id: discrepancies.id })).length > 0;
}

/** Shown while a dispute is open. */
export const paymentDisputed =
  "One of your payments is disputed at your bank. Until this is settled, we won't charge you, and you can't buy a plan or book a session. Your course stays open. If it's a mistake, ask your bank to withdraw the dispute.";

/** @internal */
export const bookingsPaused =
  "We're checking one of your payments, so you can't book new sessions right now. Sessions that you've already booked stay.";

/** Automatic steps, and the kinds that stop them while one about the student is open. See docs/decisions/0067. */
const stoppedBy = {
  charges: ["disputed"],
  bookings: ["disputed", "not-settled", "grant-unpaid"],
  "upgrade credit of the charge": ["disputed", "not-settled"],
  "passing on the purchase's credit": ["credit-unfounded"],
} as const satisfies Record<string, readonly DiscrepancyKind[]>;

/** The open discrepancies that stop a step of the student. */
export function whatStops(db: Db, step: keyof typeof stoppedBy, userId: Column | string) {
  const { kind, attemptId, purchaseId } = discrepancies;
  return db
    .select({ kind, attemptId, purchaseId })
    .from(discrepancies)
    .where(and(eq(discrepancies.userId, userId), inArray(kind, [...stoppedBy[step]]), isOpen));
}

const refusals = {
  charges: () => new Refusal("payment-disputed", paymentDisputed),
  bookings: () => new Refusal("conflict", bookingsPaused),
} as const;

/** @throws Refusal payment-disputed, conflict */
export async function requireNothingStops(db: Db, step: keyof typeof refusals, userId: string): Promise<void> {
  if ((await whatStops(db, step, userId)).length > 0) throw refusals[step]();
}

/** Those found since then that are open, by kind, and the number of all open ones. */
export async function countFound(
  db: Db,
  since: Date,
): Promise<{ found: { kind: DiscrepancyKind; count: number }[]; open: number }> {
  const found = await db
    .select({ kind: discrepancies.kind, count: sql<number>`count(*)::int` })
    .from(discrepancies)
    .where(and(isOpen, gt(discrepancies.foundAt, since)))
    .groupBy(discrepancies.kind)
    .orderBy(discrepancies.kind);
  return { found, open: await countOpenDiscrepancies(db) };
}

/** When it was repaired; null while it is open, undefined when there is none. */
export async function repairedAt(
  db: Db,
  { kind, subject }: Pick<Discrepancy, "kind" | "subject">,
): Promise<Date | null | undefined> {
  const [row] = await db
    .select({ resolvedAt: discrepancies.resolvedAt })
    .from(discrepancies)
    .where(eq(discrepancies.key, `${kind}:${subject}`));
  return row?.resolvedAt;
}

/** The newest first. A repair doesn't change the order, so that the next page continues after a repaired row. */
export function listDiscrepancies(db: Db, { state, ...page }: ReconciliationQuery, resolvedSince: Date) {
  const isRepaired = gt(discrepancies.resolvedAt, resolvedSince);
  const where = { open: isOpen, repaired: isRepaired, all: or(isOpen, isRepaired) }[state ?? "all"];
  const part = { ...page, table: discrepancies, id: discrepancies.id, key: discrepancies.foundAt, where };
  return selectPage(db, db.select().from(discrepancies).$dynamic(), part);
}

export function listOpen(db: Db, kinds: readonly DiscrepancyKind[]): Promise<DiscrepancyRow[]> {
  return db
    .select()
    .from(discrepancies)
    .where(and(inArray(discrepancies.kind, [...kinds]), isOpen));
}

/** Claims a discrepancy for a repair; null when it is repaired, or somebody else is repairing it. */
export async function claimDiscrepancy(
  db: Db,
  id: string,
  now: Date,
  staleBefore: Date,
): Promise<DiscrepancyRow | null> {
  const [row] = await db
    .update(discrepancies)
    .set({ claimedAt: now })
    .where(
      and(
        eq(discrepancies.id, id),
        isOpen,
        or(isNull(discrepancies.claimedAt), lt(discrepancies.claimedAt, staleBefore)),
      ),
    )
    .returning();
  return row ?? null;
}

export async function releaseDiscrepancy(db: Db, id: string): Promise<void> {
  await db.update(discrepancies).set({ claimedAt: null }).where(eq(discrepancies.id, id));
}

export async function resolveDiscrepancy(
  db: Db,
  id: string,
  resolution: string,
  resolvedBy: string | null,
  now: Date,
): Promise<void> {
  await db
    .update(discrepancies)
    .set({ claimedAt: null, resolvedAt: now, resolution, resolvedBy })
    .where(eq(discrepancies.id, id));
}

export async function resolveGone(
  db: Db,
  kinds: readonly DiscrepancyKind[],
  found: ReadonlySet<string>,
  now: Date,
): Promise<void> {
  for (const { id, key } of await listOpen(db, kinds))
    if (!found.has(key)) await resolveDiscrepancy(db, id, goneByItself, null, now);
}

/** Those of these kinds that are about one of `subjects`. What somebody repairs meanwhile is left to them. */
export async function resolveAgreed(
  db: Db,
  kinds: readonly DiscrepancyKind[],
  subjects: readonly string[],
  now: Date,
): Promise<void> {
  const keys = kinds.flatMap((kind) => subjects.map((subject) => `${kind}:${subject}`));
  if (keys.length === 0) return;
  await db
    .update(discrepancies)
    .set({ resolvedAt: now, resolution: goneByItself, resolvedBy: null })
    .where(and(sql`${discrepancies.key} = any(${sql.param(keys)})`, isOpen, isNull(discrepancies.claimedAt)));
}

export function countOpenDiscrepancies(db: Db): Promise<number> {
  return db.$count(discrepancies, isOpen);
}
