import { DAY } from "#server/base/clock.ts";
import {
  type Gateway,
  type GatewayTransaction,
  GatewayUnavailable,
  type InvoiceSearch,
  type ListedTransaction,
} from "../gateway.ts";
import type { Conversation } from "./conversation/conversation.ts";
import { numberOf, objectOf, textOf } from "./conversation/replies.ts";
import {
  batchListRequest,
  batchTransactionsRequest,
  detailsRequest,
  isGatewayNumber,
  type Page,
  unsettledRequest,
} from "./conversation/requests.ts";
import { batchIdsOf, listedTransactionsOf, transactionOf } from "./transactions.ts";

const MAX_PAGE_SIZE = 1000;

/** The gateway answers for 31 days at most (UNSURE); one less leaves room for the rounding to seconds. */
const MAX_RANGE_MS = 30 * DAY;

/** Batches of a day more on either side are read: what is overlooked would be charged again. */
const MARGIN_MS = DAY;

/** One reading serves a wave of renewals. */
const READING_SERVES_MS = 60_000;

type Reports = Pick<Gateway, "findTransaction" | "listUnder" | "listUnsettled" | "listSettled">;

interface Reading {
  readonly takenAt: Date;
  readonly since: Date;
  readonly rows: Promise<ReadRows>;
}

interface ReadRows {
  readonly byInvoice: ReadonlyMap<string, readonly ListedTransaction[]>;
  readonly withoutInvoice: readonly ListedTransaction[];
}

export function reports(talk: Conversation): Reports {
  const readingOf = keptReading(talk);
  return {
    findTransaction: (transactionId) => findTransaction(talk, transactionId),
    listUnsettled: () => listUnsettled(talk),
    listSettled: (between) => listSettled(talk, between),
    listUnder: async (asked) => listUnder(talk, asked, await readingOf(asked).rows),
  };
}

async function findTransaction(
  { merchant, ask }: Conversation,
  transactionId: string,
): Promise<GatewayTransaction | null> {
  if (!isGatewayNumber(transactionId)) return null;
  const reply = await ask(detailsRequest(merchant, transactionId), { mayBeMissing: true });
  if (isMissing(reply)) return null;
  const transaction = objectOf(reply.transaction);
  if (textOf(transaction.transId) !== transactionId) {
    throw new GatewayUnavailable("The gateway described another transaction, or none.");
  }
  return transactionOf(transaction, textOf(reply.transrefId));
}

async function getTransaction(talk: Conversation, { transactionId }: ListedTransaction): Promise<GatewayTransaction> {
  const transaction = await findTransaction(talk, transactionId);
  if (!transaction) throw new GatewayUnavailable("The gateway lists a transaction that it does not know.");
  return transaction;
}

function listUnsettled({ merchant, ask }: Conversation): Promise<readonly ListedTransaction[]> {
  return readPages(async (page) => pageOf(await ask(unsettledRequest(merchant, page))));
}

async function listSettled(talk: Conversation, { from, to }: { from: Date; to: Date }): Promise<ListedTransaction[]> {
  if (from > to) return [];
  const { merchant, ask } = talk;
  const settled: ListedTransaction[] = [];
  for (const batchId of await listBatchIds(talk, from, to)) {
    if (!isGatewayNumber(batchId)) throw new GatewayUnavailable("The gateway listed a batch that cannot be read.");
    settled.push(
      ...(await readPages(async (page) => pageOf(await ask(batchTransactionsRequest(merchant, batchId, page))))),
    );
  }
  return settled;
}

async function listBatchIds({ merchant, ask }: Conversation, from: Date, to: Date): Promise<ReadonlySet<string>> {
  const batchIds = new Set<string>();
  let start = from.getTime();
  do {
    const end = Math.min(start + MAX_RANGE_MS, to.getTime());
    const reply = await ask(batchListRequest(merchant, { from: new Date(start), to: new Date(end) }));
    for (const batchId of batchIdsOf(reply.batchList)) batchIds.add(batchId);
    start = end;
  } while (start < to.getTime());
  return batchIds;
}

function keptReading(talk: Conversation): (asked: { since: Date; now: Date; freshSince: Date }) => Reading {
  let last: Reading | null = null;
  return ({ now, freshSince, ...asked }) => {
    // From the start of a day, so that one reading serves what falls due one after the other.
    const since = new Date(Math.floor(asked.since.getTime() / DAY) * DAY);
    const age = last ? now.getTime() - last.takenAt.getTime() : 0;
    const serves = age >= 0 && age <= READING_SERVES_MS;
    if (last && serves && last.since <= since && last.takenAt > freshSince) return last;
    const reading = { takenAt: now, since, rows: readLists(talk, since, now) };
    last = reading;
    reading.rows.catch(() => {
      if (last === reading) last = null;
    });
    return reading;
  };
}

async function readLists(talk: Conversation, since: Date, now: Date): Promise<ReadRows> {
  // The unsettled ones first: what settles in between is then found in its batch, and never missed.
  const unsettled = await listUnsettled(talk);
  const from = new Date(since.getTime() - MARGIN_MS);
  const settled = await listSettled(talk, { from, to: new Date(now.getTime() + MARGIN_MS) });
  const rows = [...new Map([...unsettled, ...settled].map((row) => [row.transactionId, row])).values()];
  const named = rows.filter((row) => row.invoiceNumber !== null);
  return {
    byInvoice: Map.groupBy(named, (row) => row.invoiceNumber ?? ""),
    withoutInvoice: rows.filter((row) => row.invoiceNumber === null),
  };
}

async function listUnder(
  talk: Conversation,
  asked: InvoiceSearch,
  { byInvoice, withoutInvoice }: ReadRows,
): Promise<GatewayTransaction[]> {
  const found: GatewayTransaction[] = [];
  for (const row of asked.invoiceNumbers.flatMap((invoiceNumber) => byInvoice.get(invoiceNumber) ?? [])) {
    found.push(await getTransaction(talk, row));
  }
  // A row need not tell its invoice; the transaction's own record does, and says what a refund pays back.
  for (const row of withoutInvoice) {
    const isRefund = row.state === "refund";
    if (isRefund !== (asked.refersTo !== null) || row.amountCents !== asked.amountCents) continue;
    const transaction = await getTransaction(talk, row);
    const { invoiceNumber, refersTo } = transaction;
    const isUnder = invoiceNumber !== null && asked.invoiceNumbers.includes(invoiceNumber);
    if (isUnder || (isRefund && invoiceNumber === null && refersTo === asked.refersTo)) found.push(transaction);
  }
  return found;
}

interface ListedPage {
  readonly rows: readonly ListedTransaction[];
  /** UNSURE: of the page or of all pages. */
  readonly total: number | null;
}

function pageOf(reply: Record<string, unknown>): ListedPage {
  return { rows: listedTransactionsOf(reply.transactions), total: numberOf(reply.totalNumInResultSet) };
}

function isMissing(reply: Record<string, unknown>): boolean {
  return objectOf(reply.messages).resultCode !== "Ok";
}

async function readPages(list: (page: Page) => Promise<ListedPage>): Promise<readonly ListedTransaction[]> {
  const rows = new Map<string, ListedTransaction>();
  let total = 0;
  for (let number = 1; ; number++) {
    const page = await list({ number, size: MAX_PAGE_SIZE });
    const before = rows.size;
    for (const row of page.rows) rows.set(row.transactionId, row);
    total = number === 1 ? (page.total ?? 0) : total;
    if (page.rows.length < MAX_PAGE_SIZE && rows.size >= total) return [...rows.values()];
    // An empty page, or the same rows again, while more were announced: what is missing may be what is sought.
    if (rows.size === before) throw new GatewayUnavailable("The gateway did not give the whole list.");
  }
}
