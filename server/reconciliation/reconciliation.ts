import { z } from "zod";
import type { DiscrepancyKind, Reconciliation, ReconciliationQuery } from "#contract/admin/reconciliation.ts";
import { decimalAmount } from "#contract/money.ts";
import { after, DAY, MINUTE } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { isDatabaseAway } from "#server/db/unavailable.ts";
import {
  countFound,
  type Discrepancy,
  type DiscrepancyRow,
  listDiscrepancies,
  listOpen,
  recordDiscrepancy,
  resolveAgreed,
  resolveGone,
} from "#server/discrepancies/discrepancies.ts";
import { type Gateway, GatewayUnavailable } from "#server/gateway/gateway.ts";
import { emailAdministrators } from "#server/identity/administrator-emails.ts";
import { deleted } from "#server/identity/users.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import type { PaymentContext } from "#server/payments/handlers.ts";
import { paymentResolver } from "#server/payments/resolver.ts";
import { refundResolver } from "#server/refunds/resolver.ts";
import { endRestoredStop } from "#server/subscriptions/renewal-stops.ts";
import { reconcileNowJob } from "#server/subscriptions/renewals.ts";
import { type Books, compareLists, compareOne, discrepancyOf, recheck } from "./comparison.ts";
import { findInconsistencies } from "./consistency/consistency.ts";
import type { CountedKind } from "./discrepancy-kind.ts";
import { kinds, sentenceOf } from "./kinds.ts";
import { kindsOfOurRows } from "./own-kinds.ts";
import { insertRun, lastRun, listAbout, type Person } from "./queries.ts";
import { type Finding, nextNight, windowOf } from "./rules.ts";

export { runRetention } from "./queries.ts";

export const reconcileJob = defineJob("reconcile", z.object({}), { lane: "gateway" });
export const recheckChargesJob = defineJob("recheck-charges", z.object({}), { lane: "gateway" });

const keepRepaired = 90 * DAY;

/** Schedules the next night's run. */
export async function scheduleReconciliation(db: Db, now: Date): Promise<void> {
  const runAt = nextNight(now);
  await scheduleJob(db, reconcileJob, { data: {}, key: runAt.toISOString(), runAt, now });
}

/** For the command line: runs when the academy next looks for jobs. */
export async function requestReconciliation(db: Db): Promise<void> {
  const now = new Date(0);
  await scheduleJob(db, reconcileNowJob, { data: {}, runAt: now, now });
}

export async function reconcileNightly(ctx: PaymentContext): Promise<void> {
  await reconcile(ctx);
  await reportNew(ctx);
  await scheduleReconciliation(ctx.db, ctx.clock.now());
}

/** Emails administrators what was found since the night before and is still open. */
async function reportNew(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const { found, open } = await countFound(ctx.db, after(now, -DAY));
  if (found.length === 0) return;
  const facts = { found: found.map(({ kind, count }) => ({ title: kinds[kind].title, count })), open };
  const occasion = now.toISOString().slice(0, 10);
  await ctx.db.transaction((tx) => emailAdministrators(tx, { kind: "discrepancies-found", facts, occasion }, now));
}

/** Also checks older charges and refunds again, for some seconds. */
export async function reconcileThoroughly(ctx: PaymentContext): Promise<void> {
  await reconcile(ctx, { recheckSeconds: 10 });
}

/**
 * Records each difference once, after asking the gateway about open payments and refunds. If the gateway is
 * unavailable, the run records the error.
 */
async function reconcile(ctx: PaymentContext, { recheckSeconds = 0 } = {}): Promise<void> {
  const startedAt = ctx.clock.now();
  await checkConsistency(ctx, startedAt);
  const { from } = windowOf((await lastRun(ctx.db, { good: true }))?.startedAt ?? null, startedAt);
  const books = booksOf(ctx, startedAt);
  let checked = 0;
  let error: string | null = null;
  try {
    checked = await compareLists(books, from);
    // A dispute may be won or withdrawn long after its charge has left the lists.
    for (const { transactionId } of await listOpen(ctx.db, lateKinds)) {
      if (transactionId !== null) await compareOne(books, transactionId);
    }
    await paymentResolver.askAgainAtNight(ctx);
    await refundResolver.askAgainAtNight(ctx);
    if (recheckSeconds > 0) checked += await recheck(books, { checkedBefore: startedAt, seconds: recheckSeconds });
  } catch (failure) {
    if (!(failure instanceof GatewayUnavailable)) throw failure;
    error = failure.message;
  }
  await insertRun(ctx.db, { startedAt, finishedAt: ctx.clock.now(), checked, error });
  if (error === null) await endRestoredStop(ctx.db, startedAt);
  ctx.log[error ? "warn" : "info"]({ checked, error }, "books compared with the gateway's");
}

const recheckEvery = 10 * MINUTE;
const recheckSeconds = 20;
const recheckedAfter = 7 * DAY;

/** Checks each charge once a week for 120 days, some seconds at a time, so that it delays no other job. */
export async function recheckCharges(ctx: PaymentContext): Promise<void> {
  const now = ctx.clock.now();
  // First, so that the next run is scheduled even if the gateway does not answer.
  await scheduleRecheck(ctx.db, now);
  try {
    const asked = await recheck(booksOf(ctx, now), {
      checkedBefore: after(now, -recheckedAfter),
      seconds: recheckSeconds,
    });
    if (asked > 0) ctx.log.info({ asked }, "older charges compared again");
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error;
    ctx.log.warn({ reason: error.message }, "the gateway could not be asked about older charges");
  }
}

export async function scheduleRecheck(db: Db, now: Date): Promise<void> {
  const runAt = new Date((Math.floor(now.getTime() / recheckEvery) + 1) * recheckEvery);
  await scheduleJob(db, recheckChargesJob, { data: {}, key: runAt.toISOString(), runAt, now });
}

/** Does nothing when the gateway has no such transaction. */
export async function compareTransaction(ctx: PaymentContext, transactionId: string): Promise<void> {
  await compareOne(booksOf(ctx, ctx.clock.now()), transactionId);
}

/** Writes nothing. Null for an unknown part skips the checks that need it. @throws GatewayUnavailable. */
export async function examineBooks(
  db: Db,
  outside: { readonly gateway: Gateway | null; readonly now: Date | null },
): Promise<{ sentence: string; kind: DiscrepancyRow["kind"] }[]> {
  const { gateway } = outside;
  const now = outside.now ?? new Date();
  const found = await findInconsistencies(db, now, { isTimeKnown: outside.now !== null });
  const report = async (finding: Finding) => {
    const discrepancy = discrepancyOf(finding);
    if (discrepancy) found.push(discrepancy);
  };
  const quiet = { agree: async () => {}, noteUnreadable: () => {} };
  if (gateway) await compareLists({ db, gateway, now, report, ...quiet }, windowOf(now, now).from);
  const { rows: recorded } = await listDiscrepancies(db, { limit: 500 }, now);
  const key = ({ kind, subject }: Discrepancy) => `${kind}:${subject}`;
  const known = new Set(recorded.map((row) => row.key));
  const fresh = new Map(found.filter((one) => !known.has(key(one))).map((one) => [key(one), one]));
  const rows = [
    ...recorded.filter(({ resolvedAt }) => resolvedAt === null),
    ...[...fresh.values()].map((one) => ({
      kind: one.kind,
      transactionId: one.transactionId ?? null,
      purchaseId: one.purchaseId ?? null,
      userId: one.userId ?? null,
      detail: one.detail ?? null,
      expected: one.expectedCents ?? null,
      found: one.foundCents ?? null,
    })),
  ];
  const sentences = await sentencesFor(db, rows);
  return rows.map(({ kind }, index) => ({ kind, sentence: sentences[index]?.sentence ?? "" }));
}

export async function describeReconciliation(db: Db, query: ReconciliationQuery, now: Date): Promise<Reconciliation> {
  const run = await lastRun(db, { good: false });
  const { rows, total } = await listDiscrepancies(db, query, after(now, -keepRepaired));
  return {
    lastRunAt: run?.finishedAt.toISOString() ?? null,
    lastError: run?.error ?? null,
    checked: run?.checked ?? 0,
    rows: await present(db, rows),
    total,
  };
}

function booksOf(ctx: PaymentContext, now: Date): Books {
  const { db, gateway } = ctx;
  return {
    ...{ db, gateway, now },
    report: (finding) => resolveOrRecord(ctx, finding),
    agree: (transactionIds) => resolveAgreed(db, lateKinds, transactionIds, now),
    noteUnreadable: ({ attemptId, transactionId }) =>
      ctx.log.error({ attemptId, transactionId }, "the gateway describes a transaction in a way that cannot be read"),
  };
}

/** Discrepancies that resolve without a repair, once the charge is recorded, the dispute won or the money there. */
const lateKinds = [
  "unknown-here",
  "not-recorded",
  "disputed",
  "not-settled",
] as const satisfies readonly DiscrepancyKind[];

/** Discrepancies of these kinds resolve when they are no longer found. */
const ownKinds = Object.keys(kindsOfOurRows) as (keyof typeof kindsOfOurRows)[];

async function checkConsistency(ctx: Context, now: Date): Promise<void> {
  const found = await findInconsistencies(ctx.db, now);
  for (const discrepancy of found) {
    const kind = kinds[discrepancy.kind];
    await ("repairAlone" in kind ? tryRepair(ctx, discrepancy, kind) : record(ctx, discrepancy));
  }
  await resolveGone(ctx.db, ownKinds, new Set(found.map(({ kind, subject }) => `${kind}:${subject}`)), now);
}

/**
 * A repair that fails leaves its discrepancy open and delays no other one. While the database is away, the job fails and
 * is tried again.
 */
async function tryRepair(ctx: Context, discrepancy: Discrepancy, kind: CountedKind): Promise<void> {
  try {
    await repairAlone(ctx, discrepancy, kind);
  } catch (err) {
    if (isDatabaseAway(err)) throw err;
    const { kind, subject } = discrepancy;
    ctx.log.error({ err, kind, subject }, "a wrong figure could not be repaired");
    await record(ctx, discrepancy);
  }
}

/** Listed as repaired, so that administrators see how often it happens. */
async function repairAlone(ctx: Context, discrepancy: Discrepancy, kind: CountedKind): Promise<void> {
  const now = ctx.clock.now();
  const resolution = await ctx.db.transaction(async (tx) => {
    const done = await kind.repairAlone(tx, discrepancy, now);
    await recordDiscrepancy(tx, { ...discrepancy, resolution: done }, now);
    return done;
  });
  ctx.log.warn({ kind: discrepancy.kind, subject: discrepancy.subject, resolution }, "a wrong figure was repaired");
}

async function resolveOrRecord(ctx: PaymentContext, finding: Finding): Promise<void> {
  const { kind, attempt, refund } = finding;
  if (kind === "still-open" && attempt) await paymentResolver.askAgain(ctx, attempt.attemptId);
  if (kind === "refund-open" && refund) await refundResolver.askAgain(ctx, refund.refundId);
  const discrepancy = discrepancyOf(finding);
  if (discrepancy) await record(ctx, discrepancy);
}

async function record(ctx: Context, discrepancy: Discrepancy): Promise<void> {
  if (!(await recordDiscrepancy(ctx.db, discrepancy, ctx.clock.now()))) return;
  const { kind, transactionId, purchaseId } = discrepancy;
  ctx.log.error({ kind, transactionId, purchaseId }, "the books differ");
}

async function present(db: Db, rows: readonly DiscrepancyRow[]): Promise<Reconciliation["rows"]> {
  const dollars = (cents: number | null) => (cents === null ? null : decimalAmount(cents));
  const said = await sentencesFor(db, rows);
  return rows.map((row, index) => ({
    ...row,
    title: kinds[row.kind].title,
    actions: row.resolvedAt ? [] : [...kinds[row.kind].actions],
    userId: said[index]?.userId ?? null,
    sentence: said[index]?.sentence ?? "",
    expected: dollars(row.expected),
    found: dollars(row.found),
    foundAt: row.foundAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
  }));
}

async function sentencesFor(
  db: Db,
  rows: readonly Pick<
    DiscrepancyRow,
    "kind" | "transactionId" | "purchaseId" | "userId" | "detail" | "expected" | "found"
  >[],
): Promise<{ sentence: string; userId: string | null }[]> {
  const { people, bought } = await listAbout(db, {
    purchaseIds: rows.flatMap(({ purchaseId }) => purchaseId ?? []),
    userIds: rows.flatMap(({ userId }) => userId ?? []),
  });
  return rows.map(({ kind, purchaseId, transactionId, detail, expected: expectedCents, found: foundCents, ...row }) => {
    const purchase = bought.get(purchaseId ?? "");
    const userId = row.userId ?? purchase?.userId ?? null;
    const person = people.get(userId ?? "");
    const facts = {
      person: person ? nameOf(person) : null,
      purchase: purchase ? `${purchase.planName} (purchase ${purchaseId})` : purchaseId && `purchase ${purchaseId}`,
    };
    return { userId, sentence: sentenceOf(kind, { ...facts, transactionId, detail, expectedCents, foundCents }) };
  });
}

function nameOf({ firstName, lastName, email, accountStatus }: Person): string {
  if (accountStatus === deleted) return "a deleted account";
  const name = [firstName, lastName].filter(Boolean).join(" ");
  return name ? `${name} (${email})` : email;
}
