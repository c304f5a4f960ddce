import type { Gateway, GatewayTransaction, ListedTransaction } from "../gateway.ts";
import type { Conversation } from "./conversation/conversation.ts";
import { objectOf, textOf } from "./conversation/replies.ts";
import {
  batchListRequest,
  batchTransactionsRequest,
  detailsRequest,
  isGatewayNumber,
  type Page,
  unsettledRequest,
} from "./conversation/requests.ts";
import { batchIdsOf, listedTransactionsOf, transactionOf } from "./transactions.ts";

const DAY_MS = 86_400_000;
const LARGEST_PAGE = 1000;

/** The gateway answers for 31 days at most (UNSURE); one less leaves room for the rounding to seconds. */
const LONGEST_RANGE_MS = 30 * DAY_MS;

/** How far the gateway's clock and ours may be apart: generous, as a charge that is overlooked would be made again. */
const CLOCK_SKEW_MS = DAY_MS;

type Reports = Pick<Gateway, "findTransaction" | "findByReference" | "listUnsettled" | "listSettled">;

export function reports({ merchant, ask }: Conversation): Reports {
  async function findTransaction(transactionId: string): Promise<GatewayTransaction | null> {
    if (!isGatewayNumber(transactionId)) return null;
    const reply = await ask(detailsRequest(merchant, transactionId));
    const transaction = objectOf(reply.transaction);
    if (textOf(transaction.transId) === null) return null;
    return transactionOf(transaction, textOf(reply.transrefId));
  }

  const listUnsettled: Reports["listUnsettled"] = async (page) => {
    const reply = await ask(unsettledRequest(merchant, page));
    return listedTransactionsOf(reply.transactions);
  };

  /** Each once, though the pieces that are asked for touch each other. */
  async function listBatchIds(from: Date, to: Date): Promise<ReadonlySet<string>> {
    const batchIds = new Set<string>();
    let start = from.getTime();
    do {
      const end = Math.min(start + LONGEST_RANGE_MS, to.getTime());
      const reply = await ask(batchListRequest(merchant, { from: new Date(start), to: new Date(end) }));
      for (const batchId of batchIdsOf(reply.batchList)) batchIds.add(batchId);
      start = end;
    } while (start < to.getTime());
    return batchIds;
  }

  async function* batchPages(batchId: string): AsyncGenerator<readonly ListedTransaction[]> {
    if (!isGatewayNumber(batchId)) return;
    yield* pagesOf(async (page) => {
      const reply = await ask(batchTransactionsRequest(merchant, batchId, page));
      return listedTransactionsOf(reply.transactions);
    });
  }

  const listSettled: Reports["listSettled"] = async ({ from, to }) => {
    if (from > to) return [];
    const settled: ListedTransaction[] = [];
    for (const batchId of await listBatchIds(from, to)) {
      for await (const rows of batchPages(batchId)) settled.push(...rows);
    }
    return settled;
  };

  const findByReference: Reports["findByReference"] = async ({ reference, invoiceNumber, sentAt, now }) => {
    const earliest = new Date(sentAt.getTime() - CLOCK_SKEW_MS);
    const look = async (rows: readonly ListedTransaction[]) => {
      for (const row of rows) {
        if (row.invoiceNumber !== invoiceNumber || row.submittedAt < earliest) continue;
        const transaction = await findTransaction(row.transactionId);
        if (transaction?.reference === reference) return transaction;
      }
      return null;
    };
    // The unsettled ones first: what settles in between is then found in its batch, and never missed.
    for await (const rows of pagesOf(listUnsettled)) {
      const found = await look(rows);
      if (found) return found;
      const oldest = rows.at(-1);
      if (oldest && oldest.submittedAt < earliest) break;
    }
    for (const batchId of await listBatchIds(earliest, new Date(now.getTime() + CLOCK_SKEW_MS))) {
      for await (const rows of batchPages(batchId)) {
        const found = await look(rows);
        if (found) return found;
      }
    }
    return null;
  };

  return { findTransaction, findByReference, listUnsettled, listSettled };
}

/** The pages of a list, until one is not full. */
async function* pagesOf(
  list: (page: Page) => Promise<readonly ListedTransaction[]>,
): AsyncGenerator<readonly ListedTransaction[]> {
  for (let number = 1; ; number++) {
    const rows = await list({ number, size: LARGEST_PAGE });
    yield rows;
    if (rows.length < LARGEST_PAGE) return;
  }
}
