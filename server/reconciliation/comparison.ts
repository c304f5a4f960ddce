import { after, DAY, MINUTE, SECOND } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import type { Discrepancy } from "#server/discrepancies/discrepancies.ts";
import { type Gateway, type ListedTransaction, UnreadableTransaction } from "#server/gateway/gateway.ts";
import { markChecked } from "#server/payments/corrections.ts";
import { markRefundsChecked } from "#server/refunds/corrections.ts";
import { hasGoneBack } from "#server/refunds/refunds.ts";
import {
  listApprovedSince,
  listChargesToRecheck,
  listNumbersOfPurchases,
  listPaidBackSince,
  listRecordedCharges,
  listRefundsToRecheck,
} from "./queries.ts";
import type { RecordedCharge } from "./recorded-charges.ts";
import { compare, disputeOf, type Finding, type GatewayRow, leftOf } from "./rules.ts";

export interface Books {
  readonly db: Db;
  readonly gateway: Pick<Gateway, "findTransaction" | "listSettled" | "listUnsettled">;
  readonly now: Date;
  readonly report: (finding: Finding) => Promise<void>;
  /** Reports transactions that are the same in both ledgers. */
  readonly agree: (transactionIds: readonly string[]) => Promise<void>;
  readonly noteUnreadable: (charge: RecordedCharge) => void;
}

type Row = ListedTransaction & { readonly refersTo?: string | null };

const pageSize = 1000;
/** Charges that are asked for one by one and compared together: few enough that a run stops in time. */
const askedTogether = 20;
/** The gateway's lists may lag by this much. */
const listingLag = 10 * MINUTE;

/**
 * Compares the gateway's settled and unsettled transactions with our records, and ours with the gateway's.
 * @returns the number of the gateway's transactions.
 * @throws GatewayUnavailable.
 */
export async function compareLists(books: Books, from: Date): Promise<number> {
  const { gateway, now } = books;
  const listed = [...(await gateway.listSettled({ from, to: now })), ...(await gateway.listUnsettled())];
  await compareRows(books, listed);
  await findMissing(books, from, new Set(listed.map((row) => row.transactionId)));
  return listed.length;
}

/** False when the gateway has no such transaction. */
export async function compareOne(books: Books, transactionId: string): Promise<boolean> {
  const transaction = await books.gateway.findTransaction(transactionId);
  if (!transaction) return false;
  const findings = await findingsIn(books, [transaction]);
  for (const finding of findings) await books.report(finding);
  if (findings.length === 0) await books.agree([transactionId]);
  return true;
}

/** Banks may dispute for up to 120 days. One more week ensures a comparison after that. */
const recheckedFor = 127 * DAY;

/**
 * Asks the gateway about single charges, the longest unchecked first, for `seconds`.
 * @returns the number of charges.
 * @throws GatewayUnavailable.
 */
export async function recheck(
  books: Books,
  { checkedBefore, seconds }: { readonly checkedBefore: Date; readonly seconds: number },
): Promise<number> {
  const { db, now } = books;
  const window = { madeSince: after(now, -recheckedFor), checkedBefore };
  const until = performance.now() + seconds * SECOND;
  let asked = 0;
  for (const [list, look, mark] of [
    [listRefundsToRecheck, listRefundsOf, markRefundsChecked],
    [listChargesToRecheck, (charge: RecordedCharge) => [lookAt(charge)], markChecked],
  ] as const) {
    const charges = await list(db, window, pageSize);
    for (let from = 0; from < charges.length; from += askedTogether) {
      if (performance.now() > until) return asked;
      const some = charges.slice(from, from + askedTogether);
      const { unanswered, failure } = await lookTogether(books, some.flatMap(look));
      const done = some.map(({ attemptId }) => attemptId).filter((id) => !unanswered.has(id));
      await mark(db, done, now);
      if (failure) throw failure;
      asked += some.length;
    }
  }
  return asked;
}

/** A transaction that the gateway is asked for. */
interface Look {
  readonly charge: RecordedCharge;
  readonly transactionId: string | null;
  /** Reports that the gateway does not have it. */
  readonly reportMissing: (books: Books) => Promise<void>;
}

/**
 * Reads and writes our records once for all. What differs is asked again, because our records may be newer. When the
 * gateway fails, what it answered before counts; otherwise an unsteady one would be asked for the same charges for ever.
 * @returns the failure, and the attempts that it leaves unanswered
 */
async function lookTogether(books: Books, looks: readonly Look[]) {
  const rows: Row[] = [];
  const waiting = [...looks];
  let failure: unknown = null;
  try {
    for (const look of looks) {
      await unlessUnreadable(books, look, async ({ transactionId, reportMissing }) => {
        const row = transactionId === null ? null : await books.gateway.findTransaction(transactionId);
        await (row ? rows.push(row) : reportMissing(books));
      });
      waiting.shift();
    }
  } catch (error) {
    failure = error;
  }
  const differing = new Set((await differingIn(books, rows)).map(({ transactionId }) => transactionId));
  for (const look of looks) {
    if (look.transactionId !== null && differing.has(look.transactionId))
      await unlessUnreadable(books, look, lookAgain);
  }
  return { failure, unanswered: new Set(waiting.map(({ charge }) => charge.attemptId)) };

  async function lookAgain({ transactionId, reportMissing }: Look): Promise<void> {
    if (transactionId === null || !(await compareOne(books, transactionId))) await reportMissing(books);
  }
}

/** An unreadable transaction is logged and skipped; otherwise it would block all others each time. */
async function unlessUnreadable(books: Books, look: Look, ask: (look: Look) => Promise<void>): Promise<void> {
  try {
    await ask(look);
  } catch (error) {
    if (!(error instanceof UnreadableTransaction)) throw error;
    books.noteUnreadable(look.charge);
  }
}

function lookAt(charge: RecordedCharge): Look {
  const { transactionId, resolvedAt, purchaseStatus } = charge;
  return {
    charge,
    transactionId,
    async reportMissing(books) {
      if (isTooFresh(books, resolvedAt) || leftOf(charge) === 0 || purchaseStatus !== "completed") return;
      await books.report({ kind: "unknown-there", transactionId, attempt: charge, refund: null, foundCents: null });
    },
  };
}

/** Those that the gateway must have. Voids and disputes are no transactions of their own. */
function listRefundsOf(charge: RecordedCharge): Look[] {
  const dispute = disputeOf(charge);
  const own = charge.returns.filter((refund) => refund.kind === "refund" && hasGoneBack(refund) && refund !== dispute);
  return own.map((refund) => {
    const { transactionId } = refund;
    return {
      charge,
      transactionId,
      reportMissing: (books) =>
        books.report({ kind: "refund-missing", transactionId, attempt: charge, refund, foundCents: null }),
    };
  });
}

/** Asks for single transactions, because lists can lag. */
async function findMissing(books: Books, since: Date, listed: ReadonlySet<string>): Promise<void> {
  const charges = (await listApprovedSince(books.db, since)).map(lookAt);
  const refunds = (await listPaidBackSince(books.db, since)).flatMap(listRefundsOf);
  const isListed = ({ transactionId }: Look) => transactionId !== null && listed.has(transactionId);
  const missing = [...charges.filter(({ transactionId }) => transactionId !== null), ...refunds];
  const { failure } = await lookTogether(
    books,
    missing.filter((look) => !isListed(look)),
  );
  if (failure) throw failure;
}

function isTooFresh({ now }: Books, madeAt: Date | null): boolean {
  return madeAt === null || madeAt > after(now, -listingLag);
}

async function compareRows(books: Books, listed: readonly Row[]): Promise<void> {
  for (let from = 0; from < listed.length; from += pageSize) {
    for (const finding of await differingIn(books, listed.slice(from, from + pageSize))) {
      const { transactionId } = finding;
      // The list may be older than our records, so the transaction itself decides.
      if (transactionId === null || !(await compareOne(books, transactionId))) await books.report(finding);
    }
  }
}

/** Reports the others as agreed. */
async function differingIn(books: Books, listed: readonly Row[]): Promise<Finding[]> {
  const findings = await findingsIn(books, listed);
  const differing = new Set(findings.map(({ transactionId }) => transactionId));
  await books.agree(listed.flatMap((row) => (differing.has(row.transactionId) ? [] : row.transactionId)));
  return findings;
}

async function findingsIn(books: Books, listed: readonly Row[]): Promise<Finding[]> {
  if (listed.length === 0) return [];
  const rows: GatewayRow[] = [];
  for (const row of listed) rows.push(await withReference(books, row));
  const charges = await listRecordedCharges(books.db, {
    transactionIds: rows.flatMap((row) => [row.transactionId, row.refersTo ?? []].flat()),
    invoiceNumbers: rows.flatMap((row) => row.invoiceNumber ?? []),
  });
  const byNumber = new Map<string, RecordedCharge[]>();
  for (const charge of charges) {
    for (const name of namesOf(charge)) byNumber.set(name, [...(byNumber.get(name) ?? []), charge]);
  }
  const findings = rows.flatMap((row) => {
    const names = [row.transactionId, row.refersTo, row.invoiceNumber].filter((name) => name !== null);
    const about = new Set(names.flatMap((name) => byNumber.get(name) ?? []));
    return compare(row, [...about]) ?? [];
  });
  // Reported by the consistency check: a purchase with this charge has lost its attempt.
  const unknown = findings.flatMap(({ kind, transactionId }) => (kind === "unknown-here" ? (transactionId ?? []) : []));
  const ofPurchases = await listNumbersOfPurchases(books.db, unknown);
  return findings.filter(({ transactionId }) => transactionId === null || !ofPurchases.has(transactionId));
}

function namesOf({ transactionId, invoiceNumber, returns }: RecordedCharge): ReadonlySet<string> {
  const ofReturns = returns.flatMap((refund) => [refund.invoiceNumber, refund.transactionId ?? []].flat());
  return new Set([...(transactionId === null ? [] : [transactionId]), invoiceNumber, ...ofReturns]);
}

/** Lists do not name the transaction that a refund refers to; the refund's details do. */
async function withReference({ gateway }: Books, row: Row): Promise<GatewayRow> {
  if (row.state !== "refund" || row.refersTo !== undefined) return { ...row, refersTo: row.refersTo ?? null };
  const refund = await gateway.findTransaction(row.transactionId);
  return { ...row, refersTo: refund?.refersTo ?? null };
}

/** Discrepancies that can disappear at the gateway, and come back after their repair. */
const mayComeAgain: readonly Finding["kind"][] = ["disputed", "not-settled", "returned-elsewhere"];

/** Null for findings that the resolvers handle. */
export function discrepancyOf({ kind, transactionId, attempt, refund, foundCents }: Finding): Discrepancy | null {
  if (kind === "still-open" || kind === "refund-open") return null;
  return {
    kind,
    subject: refund?.refundId ?? transactionId ?? attempt?.attemptId ?? "",
    subjectId: refund?.refundId ?? null,
    // For a void or dispute, the transaction is the charge itself.
    transactionId: kind === "void-settled" || kind === "dispute-won" ? (attempt?.transactionId ?? null) : transactionId,
    attemptId: attempt?.attemptId ?? null,
    purchaseId: attempt?.purchaseId ?? null,
    userId: attempt?.userId ?? null,
    expectedCents: refund?.amountCents ?? attempt?.amountCents ?? null,
    foundCents,
    reopens: refund !== null || (mayComeAgain.includes(kind) && attempt !== null && leftOf(attempt) > 0),
  };
}
