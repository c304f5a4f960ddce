import type { DiscrepancyKind } from "#contract/admin/reconciliation.ts";
import { listWrongCaches } from "#server/access/cached-tiers.ts";
import { after } from "#server/base/clock.ts";
import { listMiscounts } from "#server/coupons/coupons.ts";
import type { Db } from "#server/db/db.ts";
import type { Discrepancy } from "#server/discrepancies/discrepancies.ts";
import { patience } from "#server/payments/polling.ts";
import { listUnsettledUses } from "#server/purchases/purchases.ts";
import * as find from "./queries.ts";

/** Writes nothing. @param isTimeKnown false skips the caches, because they depend on the academy's clock */
export async function findInconsistencies(db: Db, now: Date, { isTimeKnown = true } = {}): Promise<Discrepancy[]> {
  const rows: readonly (readonly [DiscrepancyKind, readonly find.InconsistentRow[]])[] = [
    ["attempt-missing", await find.listCompletedWithoutAttempt(db)],
    ["purchase-not-completed", await find.listPaidYetNotCompleted(db)],
    ["grant-missing", await find.listPaidWithoutGrant(db)],
    ["grant-unpaid", await find.listGrantsWithoutPayment(db, now)],
    ["amount-changed", await find.listChangedAmounts(db)],
    ["refund-missing", await find.listRefundsWithoutTransaction(db)],
    ["end-unfounded", await find.listUnfoundedEnds(db)],
    ["credit-unfounded", await find.listUnfoundedCredits(db)],
    ["payment-unresolved", isTimeKnown ? await find.listOpenPayments(db, after(now, -patience)) : []],
    ["refund-unresolved", isTimeKnown ? await find.listOpenRefunds(db, after(now, -patience)) : []],
  ];
  const found: Discrepancy[] = rows.flatMap(([kind, inconsistent]) =>
    inconsistent.map((row) => ({
      ...row,
      kind,
      subject: row.subjectId,
      // A person has already decided to accept such an upgrade.
      reopens: kind !== "credit-unfounded",
      detail: kind === "grant-unpaid" ? `grant ${row.subjectId}` : (row.detail ?? null),
    })),
  );
  for (const { code, counted, taken } of await listMiscounts(db, find.maxOfKind)) {
    const detail = `${code} shows ${counted} uses, but students used or reserved ${taken}`;
    found.push({ kind: "coupon-count", subject: code, subjectId: code, detail, reopens: true });
  }
  for (const { couponCode, userId, state, wanted } of await listUnsettledUses(db, find.maxOfKind)) {
    const detail = `${couponCode} is recorded as ${state}, but the purchases say ${wanted}`;
    const subject = `${couponCode} ${userId}`;
    found.push({ kind: "coupon-use", subject, subjectId: couponCode, userId, detail, reopens: true });
  }
  for (const { userId, cached, fromLedger } of isTimeKnown ? await listWrongCaches(db, now) : []) {
    const detail = `“${cached}”, but the access is “${fromLedger}”`;
    found.push({ kind: "tier-cache", subject: userId, subjectId: userId, userId, detail, reopens: true });
  }
  return found;
}
