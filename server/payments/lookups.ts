import { after, DAY, MINUTE } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
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
import { decisive, type Match, matchOf, type Sent } from "./matching.ts";
import { isOfAnother, listOfInvoice, listOfPeriod } from "./queries.ts";
import type { Finding } from "./resolving.ts";
import { notCharged } from "./rules.ts";

/** Never charges. @throws GatewayUnavailable when nothing is known. */
export async function lookUp(ctx: Context, attempt: AttemptRow): Promise<Finding<ChargeOutcome>> {
  const { transactionId, invoiceNumber, amount: amountCents, last4, sentAt } = attempt;
  if (transactionId) {
    const transaction = await ctx.gateway.findTransaction(transactionId);
    return transaction ? { kind: "found", outcome: outcomeOf(transaction) } : { kind: "doubtful" };
  }
  const isDuplicate = attempt.cause === "duplicate";
  const sent = { invoiceNumber, amountCents, last4, refersTo: null, sentAt, isDuplicate };
  const ours: GatewayTransaction[] = [];
  let isDoubtful = false;
  for (const { transaction, match } of await listMatches(
    ctx,
    sent,
    await listOfInvoice(ctx.db, attempt),
    othersThan(attempt),
  )) {
    if (match === "ours") ours.push(transaction);
    if (match === "partial" && (await returnPartial(ctx, transaction))) ours.push({ ...transaction, state: "voided" });
    else if (match === "partial" || match === "doubtful") {
      isDoubtful = true;
      await recordDoubtOf(ctx, attempt, transaction);
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
  const taken = (await listUndecided(ctx, search, othersThan(attempt))).filter((one) =>
    moneyIsTaken.includes(one.state),
  );
  const paid = decisive(taken.filter((one) => one.amountCents === amountCents && one.state !== "disputed"));
  if (paid) {
    ctx.log.warn({ attemptId: attempt.id, transactionId: paid.transactionId }, "a charge from before is adopted");
    const outcome = outcomeOf(paid);
    return outcome.kind === "approved" ? { ...outcome, chargedAt: paid.submittedAt } : outcome;
  }
  for (const transaction of taken) await recordDoubtOf(ctx, attempt, transaction);
  const reason = "the gateway has another charge under this invoice";
  return taken.length > 0 ? { kind: "unknown", isDuplicate: false, reason, codes: noCodes } : null;
}

const moneyIsTaken: readonly GatewayTransaction["state"][] = ["approved", "held", "disputed"];

/** How doubtful transactions are recorded, and which ones belong to other requests. */
interface Others {
  readonly doubt: "reference-differs" | "refund-reference-differs";
  readonly isOfAnother: (db: Db, transactionId: string) => Promise<boolean>;
}

function othersThan({ id }: AttemptRow): Others {
  return { doubt: "reference-differs", isOfAnother: (db, transactionId) => isOfAnother(db, id, transactionId) };
}

/**
 * Transactions of the gateway, and how each matches what was sent.
 * @param same all requests with its invoice number
 */
export async function listMatches(
  ctx: Context,
  sent: Omit<Sent, "references">,
  same: readonly { readonly sentAt: Date; readonly reference: string }[],
  others: Others,
): Promise<{ readonly transaction: GatewayTransaction; readonly match: Match }[]> {
  const { invoiceNumber, amountCents, refersTo, isDuplicate } = sent;
  const now = ctx.clock.now();
  const since = after(new Date(Math.min(...same.map((one) => one.sentAt.getTime()))), isDuplicate ? -DAY : 0);
  const search = { invoiceNumbers: [invoiceNumber], amountCents, refersTo, since, now, freshSince: now };
  const references = same.map((one) => one.reference);
  const undecided = await listUndecided(ctx, search, others);
  return undecided.map((transaction) => ({ transaction, match: matchOf(transaction, { ...sent, references }) }));
}

/** Without transactions of other requests, and those that an administrator has decided about. */
async function listUndecided(
  ctx: Context,
  search: Parameters<Context["gateway"]["listUnder"]>[0],
  { doubt: kind, isOfAnother }: Others,
): Promise<readonly GatewayTransaction[]> {
  const undecided: GatewayTransaction[] = [];
  for (const transaction of await ctx.gateway.listUnder(search)) {
    const { transactionId: subject } = transaction;
    const decidedAt = await repairedAt(ctx.db, { kind, subject });
    if (!decidedAt && !(await isOfAnother(ctx.db, subject))) undecided.push(transaction);
  }
  return undecided;
}

/** True when the partial approval is certainly voided. */
async function returnPartial(ctx: Context, { transactionId, settled }: GatewayTransaction): Promise<boolean> {
  if (settled) return false;
  const outcome = await ctx.gateway.voidTransaction({ transactionId, reference: newId() });
  return outcome.kind === "returned";
}

async function recordDoubtOf(ctx: Context, attempt: AttemptRow, transaction: GatewayTransaction): Promise<void> {
  await recordDoubt(ctx, "reference-differs", { ...attempt, attemptId: attempt.id }, transaction);
}

/** A person must decide whether the transaction is what was sent. */
export async function recordDoubt(
  ctx: Context,
  kind: Others["doubt"],
  about: Pick<AttemptRow, "purchaseId" | "userId" | "amount"> & {
    readonly attemptId: string;
    readonly subjectId?: string;
  },
  { transactionId, amountCents: foundCents }: GatewayTransaction,
): Promise<void> {
  const { attemptId, purchaseId, userId, subjectId = null, amount: expectedCents } = about;
  const sides = { attemptId, purchaseId, userId, subjectId, expectedCents, foundCents };
  const isNew = await recordDiscrepancy(
    ctx.db,
    { kind, subject: transactionId, transactionId, ...sides },
    ctx.clock.now(),
  );
  if (isNew) ctx.log.error({ kind, attemptId, subjectId, transactionId }, "a transaction may not be what we sent");
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
