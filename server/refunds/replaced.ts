import { renews } from "#contract/tiers.ts";
import { giveBackDays, listReplaced, listReplacers, type ReplacedDays } from "#server/access/replaced-days.ts";
import type { Db } from "#server/db/db.ts";
import { recordDiscrepancy } from "#server/discrepancies/discrepancies.ts";
import type { AttemptRow } from "#server/payments/attempts.ts";
import {
  findPurchase,
  isInEffect,
  listPurchasesOfUser,
  type PurchaseRow,
  sumCredited,
} from "#server/purchases/purchases.ts";
import { scheduleReminders } from "#server/subscriptions/expiry.ts";
import { moveEndedPeriod } from "#server/subscriptions/subscriptions.ts";
import { hasOpenRefund, refundedOf } from "./queries.ts";

/** A charge's value in cents: charged, plus the credit applied, minus refunds. */
async function worthOf(db: Db, charge: AttemptRow, purchase: PurchaseRow): Promise<number> {
  const creditCents = charge.kind === "initial" ? purchase.credit : 0;
  return charge.amount + creditCents - (await refundedOf(db, charge.id));
}

/** Records a discrepancy for upgrades that were credited with more of the charge than its value now. */
export async function reportUnfoundedCredit(
  tx: Db,
  charge: AttemptRow,
  purchase: PurchaseRow,
  now: Date,
): Promise<void> {
  const expectedCents = (await sumCredited(tx, charge.userId)).get(charge.id) ?? 0;
  const foundCents = Math.max(0, await worthOf(tx, charge, purchase));
  if (foundCents >= expectedCents) return;
  for (const upgrade of await listPurchasesOfUser(tx, charge.userId)) {
    if (!isInEffect(upgrade) || !upgrade.creditFrom.some(({ chargeId }) => chargeId === charge.id)) continue;
    const { id: subject, userId } = upgrade;
    const { id: attemptId, transactionId } = charge;
    const about = { kind: "credit-unfounded", subject, subjectId: subject, purchaseId: subject, userId } as const;
    await recordDiscrepancy(tx, { ...about, attemptId, transactionId, expectedCents, foundCents }, now);
  }
}

/** Refundable cents: without earlier refunds, and without what an upgrade was credited with. */
export async function leftOf(
  db: Db,
  charge: AttemptRow,
  purchase: PurchaseRow,
): Promise<{ leftCents: number; creditedCents: number }> {
  const creditedCents = (await sumCredited(db, charge.userId)).get(charge.id) ?? 0;
  const own = charge.amount - (await refundedOf(db, charge.id));
  if (creditedCents === 0) return { leftCents: own, creditedCents };
  const notCredited = (await worthOf(db, charge, purchase)) - creditedCents;
  return { leftCents: Math.max(0, Math.min(own, notCredited)), creditedCents };
}

/**
 * The replaced days to give back. For a payment that was refunded itself, lists the days that it had replaced. Skips
 * payments with an open refund.
 */
export async function listDaysToGiveBack(
  db: Db,
  purchase: Pick<PurchaseRow, "id" | "userId">,
): Promise<(ReplacedDays & { readonly purchaseId: string; readonly planName: string })[]> {
  const { userId } = purchase;
  const found: (ReplacedDays & { readonly purchaseId: string; readonly planName: string })[] = [];
  const gone = new Map<string, PurchaseRow>();
  for (const days of await listReplaced(db, { userId, purchaseId: purchase.id })) {
    const replaced = days.purchaseId === null ? null : await findPurchase(db, days.purchaseId);
    if (!replaced || (await hasOpenRefund(db, replaced.id))) continue;
    if (!isInEffect(replaced)) {
      gone.set(replaced.id, replaced);
      continue;
    }
    found.push({ ...days, purchaseId: replaced.id, planName: replaced.planName });
  }
  for (const one of gone.values()) found.push(...(await listDaysToGiveBack(db, one)));
  return found;
}

/** Call in the transaction that ends the purchase, or that ends an open refund of what it replaced. Safe to repeat. */
export async function giveBackReplaced(tx: Db, purchase: Pick<PurchaseRow, "id" | "userId">, now: Date): Promise<void> {
  for (const days of await listDaysToGiveBack(tx, purchase)) {
    const period = await giveBackDays(tx, purchase.userId, days, "the plan that took its place was refunded", now);
    await moveEndedPeriod(tx, days.purchaseId, period);
    if (!renews(days.tier)) await scheduleReminders(tx, purchase.userId, period.endsAt, now);
  }
}

export async function isReplaced(tx: Db, { id: purchaseId, userId }: PurchaseRow): Promise<boolean> {
  return (await listPurchasesThatReplaced(tx, { purchaseId, userId })).some(isInEffect);
}

/** Gives back replaced days that an open refund of their payment held up. Call when such a refund has an outcome. */
export async function giveBackHeldUp(
  tx: Db,
  of: { readonly purchaseId: string; readonly userId: string },
  now: Date,
): Promise<void> {
  for (const replacer of await listPurchasesThatReplaced(tx, of)) {
    if (!isInEffect(replacer)) await giveBackReplaced(tx, replacer, now);
  }
}

async function listPurchasesThatReplaced(
  tx: Db,
  of: { readonly purchaseId: string; readonly userId: string },
): Promise<PurchaseRow[]> {
  const found: PurchaseRow[] = [];
  for (const id of await listReplacers(tx, of)) {
    const replacer = await findPurchase(tx, id);
    if (replacer) found.push(replacer);
  }
  return found;
}
