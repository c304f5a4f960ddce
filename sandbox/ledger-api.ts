import type { FastifyPluginAsync } from "fastify";
import { z } from "zod";
import type { Clock } from "#server/base/clock.ts";
import { BadRequest, jsonOf } from "./bad-request.ts";
import { listTransactions, type Transaction } from "./gateway/ledger.ts";
import { decideHeld } from "./gateway/transactions/held.ts";
import { Import, importTransactions } from "./gateway/transactions/import.ts";
import { keepReportMode, reportMode, reportModes } from "./gateway/transactions/reports.ts";
import { creditElsewhere, refundElsewhere } from "./gateway/transactions/reversals.ts";
import { currentTransaction, MISHAPS, settleDue, stageMishap } from "./gateway/transactions/settlement.ts";
import type { Store } from "./store.ts";

/** Routes to read the gateway's ledger, and to change its transactions from outside. */
export function ledgerRoutes(store: Store, clock: Clock): FastifyPluginAsync {
  return async (app) => {
    app.get("/transactions", async () => {
      settleDue(store, clock.now());
      return listTransactions(store).map(shown);
    });
    app.post("/import", async (request) => {
      const asked = Import.safeParse(jsonOf(request.body));
      if (!asked.success) throw new BadRequest(z.prettifyError(asked.error));
      return importTransactions(store, clock.now(), asked.data.transactions);
    });
    app.get("/reports", async () => ({ reference: reportMode(store) }));
    app.post("/reports", async (request) => {
      const asked = Reports.safeParse(jsonOf(request.body));
      if (!asked.success) throw new BadRequest(`The body is {"reference": one of ${reportModes.join(", ")}}.`);
      keepReportMode(store, asked.data.reference);
      return asked.data;
    });
    app.post("/held", async (request) => shown(decide(store, clock.now(), jsonOf(request.body))));
    app.post("/stage", async (request) => shown(stage(store, clock.now(), jsonOf(request.body))));
  };
}

function decide(store: Store, now: Date, body: unknown): Transaction {
  const asked = Decision.safeParse(body);
  if (!asked.success) throw new BadRequest('The body is {"transId": "...", "decision": "approve" or "decline"}.');
  const { transId } = transactionNamed(store, now, asked.data.transId);
  const decided = decideHeld(store, now, transId, asked.data.decision);
  if (!decided) throw new BadRequest(`Transaction ${transId} is not held for review.`);
  return decided;
}

function stage(store: Store, now: Date, body: unknown): Transaction {
  const asked = Staging.safeParse(body);
  if (!asked.success) {
    throw new BadRequest(`The body is {"transId": "...", "as": one of ${Staging.shape.as.options.join(", ")}}.`);
  }
  const transaction = transactionNamed(store, now, asked.data.transId);
  const complaint = complaintAbout(store, now, transaction, asked.data.as);
  if (complaint) throw new BadRequest(complaint);
  return currentTransaction(store, now, transaction.transId) ?? transaction;
}

/** Stages an event of a transaction. Returns why it is not possible, or null. */
function complaintAbout(
  store: Store,
  now: Date,
  transaction: Transaction,
  as: z.infer<typeof Staging>["as"],
): string | null {
  if (as === "refundedElsewhere") return refundElsewhere(store, now, transaction);
  if (as === "unlinkedCredit") return creditElsewhere(store, now, transaction);
  return stageMishap(store, now, transaction, as);
}

function transactionNamed(store: Store, now: Date, transId: string): Transaction {
  const transaction = currentTransaction(store, now, transId);
  if (!transaction) throw new BadRequest(`The ledger has no transaction ${transId}.`);
  return transaction;
}

const Decision = z.strictObject({ transId: z.string(), decision: z.enum(["approve", "decline"]) });
const Reports = z.strictObject({ reference: z.enum(reportModes) });
const Staging = z.strictObject({
  transId: z.string(),
  as: z.enum([...MISHAPS, "refundedElsewhere", "unlinkedCredit"]),
});

function shown(transaction: Transaction): object {
  return {
    transId: transaction.transId,
    type: transaction.type,
    status: transaction.status,
    responseCode: transaction.responseCode,
    amount: transaction.amountCents / 100,
    invoiceNumber: transaction.invoiceNumber,
    refId: transaction.refId,
    last4: transaction.last4,
    customerProfileId: transaction.customerProfileId,
    refTransId: transaction.refTransId,
    batchId: transaction.batchId,
    at: transaction.at,
  };
}
