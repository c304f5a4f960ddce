import { after, DAY, MINUTE } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import { newId } from "#server/db/id.ts";
import { recordDiscrepancy, repairedAt } from "#server/discrepancies/discrepancies.ts";
import {
  type ChargeOutcome,
  type GatewayTransaction,
  GatewayUnavailable,
  noCodes,
  notProcessed,
} from "#server/gateway/gateway.ts";
import type { AttemptRow } from "./attempts.ts";
import { invoicesOfPeriod } from "./invoices.ts";
import { decisive, matchOf } from "./matching.ts";
import { isOfAnother, listOfInvoice, listOfPeriod } from "./queries.ts";
import { notCharged } from "./rules.ts";

/**
 * nothing: it is in none of the complete lists · doubtful: a person must decide whether it is ours; recorded as a
 * discrepancy.
 */
export type Finding =
  | { readonly kind: "found"; readonly outcome: ChargeOutcome }
  | { readonly kind: "nothing" }
  | { readonly kind: "doubtful" };

/** Never charges. @throws GatewayUnavailable when nothing is known. */
export async function lookUp(ctx: Context, attempt: AttemptRow): Promise<Finding> {
  const { transactionId, invoiceNumber, amount: amountCents, last4, sentAt } = attempt;
  if (transactionId) {
    const transaction = await ctx.gateway.findTransaction(transactionId);
    return transaction ? { kind: "found", outcome: outcomeOf(transaction) } : { kind: "doubtful" };
  }
  const now = ctx.clock.now();
  const isDuplicate = attempt.cause === "duplicate";
  const same = await listOfInvoice(ctx.db, attempt);
  const since = after(new Date(Math.min(...same.map((one) => one.sentAt.getTime()))), isDuplicate ? -DAY : 0);
  const search = { invoiceNumbers: [invoiceNumber], amountCents, refersTo: null, since, now, freshSince: now };
  const references = same.map((one) => one.reference);
  const sent = { invoiceNumber, references, amountCents, last4, refersTo: null, sentAt, isDuplicate };
  const ours: GatewayTransaction[] = [];
  let isDoubtful = false;
  for (const transaction of await listUndecided(ctx, attempt, search)) {
    const match = matchOf(transaction, sent);
    if (match === "ours") ours.push(transaction);
    if (match === "partial" && (await returnPartial(ctx, transaction))) ours.push({ ...transaction, state: "voided" });
    else if (match === "partial" || match === "doubtful") {
      isDoubtful = true;
      await recordDoubt(ctx, attempt, transaction);
    }
  }
  const found = decisive(ours);
  if (found && (!isDoubtful || found.state === "approved")) return { kind: "found", outcome: outcomeOf(found) };
  // The gateway reported a duplicate, so the charge's absence from the lists proves nothing.
  return { kind: isDoubtful || isDuplicate ? "doubtful" : "nothing" };
}

/**
 * Charges for a period, unless the gateway has such a charge already, as after the restore of a backup: then adopts
 * that one. A transaction pays for the period if it has one of its invoice numbers and the amount. With another
 * amount a person must decide, and nothing is charged until then.
 */
export async function chargeUnlessPaid(
  ctx: Context,
  attempt: AttemptRow,
  charge: () => Promise<ChargeOutcome>,
): Promise<ChargeOutcome> {
  const startedAt = performance.now();
  try {
    const paid = await findPaid(ctx, attempt);
    if (paid) return paid;
    // The resolver may have given the attempt up meanwhile, so it must not be charged any more.
    if (performance.now() - startedAt > maxSearchTime) throw new GatewayUnavailable("its lists took too long");
    return await charge();
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error;
    const reason = `it could not be asked what was charged before: ${error.message}`;
    const cause = error.refusedCode === null ? "unreachable" : "credentials";
    return notProcessed(cause, reason, { ...noCodes, reason: error.refusedCode });
  }
}

const maxSearchTime = 10 * MINUTE;

async function findPaid(ctx: Context, attempt: AttemptRow): Promise<ChargeOutcome | null> {
  const { purchaseId, renewsFrom, amount: amountCents } = attempt;
  if (renewsFrom === null) return null;
  const earlier = await listOfPeriod(ctx.db, attempt);
  const invoiceNumbers = [
    ...new Set([...invoicesOfPeriod(purchaseId, renewsFrom), ...earlier.map((one) => one.invoiceNumber)]),
  ];
  const lastTouched = earlier.flatMap(({ sentAt, resolvedAt }) => [sentAt.getTime(), resolvedAt?.getTime() ?? 0]);
  const now = ctx.clock.now();
  const search = {
    invoiceNumbers,
    amountCents,
    refersTo: null,
    since: renewsFrom,
    now,
    freshSince: new Date(Math.max(0, ...lastTouched)),
  };
  const taken = (await listUndecided(ctx, attempt, search)).filter((one) => moneyIsTaken.includes(one.state));
  const paid = decisive(taken.filter((one) => one.amountCents === amountCents && one.state !== "disputed"));
  if (paid) {
    ctx.log.warn({ attemptId: attempt.id, transactionId: paid.transactionId }, "a charge from before is adopted");
    const outcome = outcomeOf(paid);
    return outcome.kind === "approved" ? { ...outcome, chargedAt: paid.submittedAt } : outcome;
  }
  for (const transaction of taken) await recordDoubt(ctx, attempt, transaction);
  const reason = "the gateway has another charge under this invoice";
  return taken.length > 0 ? { kind: "unknown", isDuplicate: false, reason, codes: noCodes } : null;
}

const moneyIsTaken: readonly GatewayTransaction["state"][] = ["approved", "held", "disputed"];

/** Without transactions of other attempts, and those that an administrator has decided about. */
async function listUndecided(
  ctx: Context,
  attempt: AttemptRow,
  search: Parameters<Context["gateway"]["listUnder"]>[0],
): Promise<readonly GatewayTransaction[]> {
  const transactions = await ctx.gateway.listUnder(search);
  const undecided: GatewayTransaction[] = [];
  for (const transaction of transactions) {
    const decidedAt = await repairedAt(ctx.db, { kind: "reference-differs", subject: transaction.transactionId });
    if (!decidedAt && !(await isOfAnother(ctx.db, attempt.id, transaction.transactionId))) undecided.push(transaction);
  }
  return undecided;
}

/** True when the partial approval is certainly voided. */
async function returnPartial(ctx: Context, { transactionId, settled }: GatewayTransaction): Promise<boolean> {
  if (settled) return false;
  const outcome = await ctx.gateway.voidTransaction({ transactionId, reference: newId() });
  return outcome.kind === "returned";
}

async function recordDoubt(ctx: Context, attempt: AttemptRow, transaction: GatewayTransaction): Promise<void> {
  const { id: attemptId, purchaseId, userId, amount: expectedCents } = attempt;
  const { transactionId, amountCents: foundCents } = transaction;
  const about = { kind: "reference-differs" as const, subject: transactionId, transactionId };
  const sides = { attemptId, purchaseId, userId, expectedCents, foundCents };
  const isNew = await recordDiscrepancy(ctx.db, { ...about, ...sides }, ctx.clock.now());
  if (isNew) ctx.log.error({ attemptId, transactionId }, "a charge under our invoice may not be ours");
}

function outcomeOf(transaction: GatewayTransaction): ChargeOutcome {
  const { transactionId, card, codes, networkTransactionId, paymentProfile } = transaction;
  switch (transaction.state) {
    case "approved":
      return { kind: "approved", transactionId, card, codes, networkTransactionId, paymentProfile };
    case "held":
      return { kind: "held", transactionId, card, codes };
    case "declined":
      return {
        kind: "declined",
        cause: "bank",
        transactionId,
        hard: false,
        codes,
        message: "Your card was declined. Please try another card.",
      };
    default:
      return notCharged("not-paid", `the gateway says ${transaction.state}`, codes);
  }
}
