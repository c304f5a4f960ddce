import type { Reconciliation } from "#contract/admin/reconciliation.ts";
import { decimalAmount } from "#contract/money.ts";
import { after, DAY, MINUTE } from "#server/clock.ts";
import type { Context } from "#server/context.ts";
import type { Db } from "#server/db/db.ts";
import { type DiscrepancyRow, listDiscrepancies, recordDiscrepancy } from "#server/discrepancies/discrepancies.ts";
import { GatewayUnavailable, type ListedTransaction } from "#server/gateway/gateway.ts";
import { deleted } from "#server/identity/users.ts";
import { enqueueJob } from "#server/jobs/jobs.ts";
import { resolvePayment } from "#server/purchases/attempts/outcomes.ts";
import { listApprovedSince, listBookings } from "#server/purchases/books.ts";
import { resolveRefund } from "#server/purchases/refunds/resolver.ts";
import { insertRun, lastRun, listAbout, type Person } from "./queries.ts";
import { type Finding, type GatewayRow, holdAgainst, nextNight, windowOf } from "./rules.ts";
import { sentenceOf } from "./sentences.ts";

/** A charge of the last minutes may not be in the gateway's lists yet. */
const listingLag = 10 * MINUTE;
const keepRepaired = 90 * DAY;

/** Takes on the next nightly comparison; it schedules itself again. */
export async function planReconciliation(db: Db, now: Date): Promise<void> {
  const runAt = nextNight(now);
  await enqueueJob(db, { name: "reconcile", data: {}, key: runAt.toISOString(), runAt, now });
}

/** Takes on a comparison by the next tick, for the command line. */
export async function requestReconciliation(db: Db): Promise<void> {
  const now = new Date(0);
  await enqueueJob(db, { name: "reconcile-now", data: {}, runAt: now, now });
}

/** The nightly job. */
export async function reconcileNightly(ctx: Context): Promise<void> {
  await reconcile(ctx);
  await planReconciliation(ctx.db, ctx.clock.now());
}

/**
 * Compares the gateway's settled and unsettled transactions with our attempts, both ways. What is only late is
 * resolved, what differs is recorded as a discrepancy, once. A gateway that cannot be asked is noted with the run.
 */
export async function reconcile(ctx: Context): Promise<void> {
  const startedAt = ctx.clock.now();
  const { from, to } = windowOf((await lastRun(ctx.db, { good: true }))?.startedAt ?? null, startedAt);
  let checked = 0;
  let error: string | null = null;
  try {
    const listed = [...(await ctx.gateway.listSettled({ from, to })), ...(await ctx.gateway.listUnsettled())];
    checked = listed.length;
    await holdAll(ctx, listed);
    await findMissing(ctx, from, new Set(listed.map((row) => row.transactionId)));
  } catch (failure) {
    if (!(failure instanceof GatewayUnavailable)) throw failure;
    error = failure.message;
  }
  await insertRun(ctx.db, { startedAt, finishedAt: ctx.clock.now(), checked, error });
  ctx.log[error ? "warn" : "info"]({ checked, error }, "books compared with the gateway's");
}

/** Looks at one transaction now, because a notification said so. Nothing there: nothing happens. */
export async function lookAt(ctx: Context, transactionId: string): Promise<void> {
  const transaction = await ctx.gateway.findTransaction(transactionId);
  if (transaction) await holdAll(ctx, [transaction]);
}

/** What the administrator sees. */
export async function describeReconciliation(db: Db, now: Date): Promise<Reconciliation> {
  const run = await lastRun(db, { good: false });
  const rows = await listDiscrepancies(db, after(now, -keepRepaired));
  return {
    lastRunAt: run?.finishedAt.toISOString() ?? null,
    lastError: run?.error ?? null,
    checked: run?.checked ?? 0,
    breaks: await present(db, rows),
  };
}

async function holdAll(
  ctx: Context,
  listed: readonly (ListedTransaction & { refersTo?: string | null })[],
): Promise<void> {
  const rows = await Promise.all(listed.map((row) => withReference(ctx, row)));
  const bookings = await listBookings(ctx.db, {
    transactionIds: rows.flatMap((row) => [row.transactionId, row.refersTo ?? []].flat()),
    invoiceNumbers: rows.flatMap((row) => row.invoiceNumber ?? []),
  });
  for (const row of rows) {
    const finding = holdAgainst(
      row,
      bookings.filter(
        (booking) =>
          [row.transactionId, row.refersTo].includes(booking.transactionId) ||
          booking.invoiceNumber === row.invoiceNumber,
      ),
    );
    if (finding) await note(ctx, finding);
  }
}

/** Only a refund's own record names the transaction that it pays back. */
async function withReference(ctx: Context, row: ListedTransaction & { refersTo?: string | null }): Promise<GatewayRow> {
  if (row.state !== "refund" || row.refersTo !== undefined) return { ...row, refersTo: row.refersTo ?? null };
  const refund = await ctx.gateway.findTransaction(row.transactionId);
  return { ...row, refersTo: refund?.refersTo ?? null };
}

async function note(ctx: Context, finding: Finding): Promise<void> {
  const { kind, attempt, transactionId, foundCents } = finding;
  if (kind === "still-open") {
    if (attempt) await resolvePayment(ctx, { attemptId: attempt.attemptId, look: 1 });
    return;
  }
  if (kind === "refund-open") {
    if (attempt?.openRefundId) await resolveRefund(ctx, { refundId: attempt.openRefundId, look: 1 });
    return;
  }
  const isNew = await recordDiscrepancy(
    ctx.db,
    {
      kind,
      subject: transactionId ?? attempt?.attemptId ?? "",
      transactionId,
      attemptId: attempt?.attemptId ?? null,
      purchaseId: attempt?.purchaseId ?? null,
      userId: attempt?.userId ?? null,
      expectedCents: attempt?.amountCents ?? null,
      foundCents,
      // A dispute that was won and then lost after all is open again.
      reopens: kind === "disputed",
    },
    ctx.clock.now(),
  );
  if (isNew) ctx.log.error({ kind, transactionId, purchaseId: attempt?.purchaseId }, "the books differ");
}

/** Purchases that count as paid although the gateway, asked for each by its number, knows nothing of the payment. */
async function findMissing(ctx: Context, since: Date, listed: ReadonlySet<string>): Promise<void> {
  const settledByNow = after(ctx.clock.now(), -listingLag);
  for (const attempt of await listApprovedSince(ctx.db, since)) {
    if (attempt.resolvedAt === null || attempt.resolvedAt > settledByNow) continue;
    if (attempt.transactionId === null || listed.has(attempt.transactionId)) continue;
    if (await ctx.gateway.findTransaction(attempt.transactionId)) continue;
    await note(ctx, { kind: "unknown-there", transactionId: attempt.transactionId, attempt, foundCents: null });
  }
}

async function present(db: Db, rows: readonly DiscrepancyRow[]): Promise<Reconciliation["breaks"]> {
  const { people, bought } = await listAbout(db, {
    purchaseIds: rows.flatMap(({ purchaseId }) => purchaseId ?? []),
    userIds: rows.flatMap(({ userId }) => userId ?? []),
  });
  const dollars = (cents: number | null) => (cents === null ? null : decimalAmount(cents));
  return rows.map((row) => {
    const purchase = bought.get(row.purchaseId ?? "");
    const person = people.get(row.userId ?? purchase?.userId ?? "");
    const { kind, transactionId, detail, expected: expectedCents, found: foundCents } = row;
    const facts = {
      person: person ? nameOf(person) : null,
      purchase: purchase ? `${purchase.planName} (purchase ${row.purchaseId})` : null,
    };
    return {
      ...row,
      userId: row.userId ?? purchase?.userId ?? null,
      sentence: sentenceOf(kind, { ...facts, transactionId, detail, expectedCents, foundCents }),
      expected: dollars(row.expected),
      found: dollars(row.found),
      foundAt: row.foundAt.toISOString(),
      resolvedAt: row.resolvedAt?.toISOString() ?? null,
    };
  });
}

function nameOf({ firstName, lastName, email, accountStatus }: Person): string {
  if (accountStatus === deleted) return "a deleted account";
  const name = [firstName, lastName].filter(Boolean).join(" ");
  return name ? `${name} (${email})` : email;
}
