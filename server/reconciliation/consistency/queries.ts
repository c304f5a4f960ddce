import { type SQL, sql } from "drizzle-orm";
import { giftSources, grantsNotOver } from "#server/access/access.ts";
import { takenBack } from "#server/access/grants.ts";
import { grantEnds, grants } from "#server/access/tables.ts";
import type { Db } from "#server/db/db.ts";
import { discrepancies } from "#server/discrepancies/tables.ts";
import { charges, openPayments } from "#server/payments/attempts.ts";
import { purchasesInEffect } from "#server/purchases/purchases.ts";
import { purchases } from "#server/purchases/tables.ts";
import { openReturns, returns } from "#server/refunds/refunds.ts";

/** Amounts in cents. */
export interface InconsistentRow {
  readonly subjectId: string;
  readonly userId: string;
  readonly purchaseId: string | null;
  readonly attemptId: string | null;
  readonly transactionId: string | null;
  readonly expectedCents: number | null;
  readonly foundCents: number | null;
  readonly detail?: string;
}

/** The next run finds the others, after these have been repaired. */
export const maxOfKind = 200;

export function listPaidWithoutGrant(db: Db): Promise<InconsistentRow[]> {
  const charge = chargeColumns();
  const initial = sql`select ${charge} from ${charges} a join ${purchasesInEffect} p on p.id = a.purchase_id
    where a.kind = 'initial' and not exists (select from ${grants} g where g.source = 'purchase' and g.source_id = p.id)`;
  const renewals = sql`select ${charge} from ${charges} a join ${purchasesInEffect} p on p.id = a.purchase_id
    where a.kind = 'renewal' and not exists (select from ${grants} g where g.source = 'renewal' and g.source_id = a.id)`;
  return inconsistentRowsOf(db, sql`${initial} union all ${renewals}`);
}

/**
 * Current and future grants without a payment: there is no such purchase, it is another user's, of another tier or
 * unpaid, or there is no such charge. A paid purchase that counts as failed is a different discrepancy.
 */
export function listGrantsWithoutPayment(db: Db, now: Date): Promise<InconsistentRow[]> {
  return inconsistentRowsOf(
    db,
    sql`select g.id as "subjectId", g.user_id as "userId", g.purchase_id as "purchaseId", null as "attemptId",
        null as "transactionId", null as expected, null as found
      from ${grantsNotOver(now)} g left join ${purchases} p on p.id = g.purchase_id
      where not ${isGift}
        and not (
          p.id is not null and p.user_id = g.user_id and p.tier = g.tier
          and (p.id in (select id from ${purchasesInEffect} o) or ${isPaidYetNotCompleted})
          and case g.source
            when 'purchase' then g.source_id = p.id or exists (select from ${grantEnds} e where e.id = g.source_id)
            when 'renewal' then exists (
              select from ${charges} a where a.id = g.source_id and a.purchase_id = p.id)
            when 'credit-returned' then exists (select from ${grantEnds} e where e.id = g.source_id)
            else true end
        )`,
  );
}

export function listCompletedWithoutAttempt(db: Db): Promise<InconsistentRow[]> {
  return inconsistentRowsOf(
    db,
    sql`select p.id as "subjectId", p.user_id as "userId", p.id as "purchaseId", null as "attemptId",
        p.transaction_id as "transactionId", p.amount as expected, null as found
      from ${purchasesInEffect} p
      where not exists (select from ${charges} a where a.purchase_id = p.id and a.kind = 'initial')`,
  );
}

/** Skips refunded purchases. */
export function listPaidYetNotCompleted(db: Db): Promise<InconsistentRow[]> {
  return inconsistentRowsOf(
    db,
    sql`select ${chargeColumns()} from ${purchases} p join ${charges} a on a.purchase_id = p.id
      where a.kind = 'initial' and ${isPaidYetNotCompleted}`,
  );
}

/** `expected` is the charge's amount, `found` the purchase's. */
export function listChangedAmounts(db: Db): Promise<InconsistentRow[]> {
  return inconsistentRowsOf(
    db,
    sql`select p.id as "subjectId", p.user_id as "userId", p.id as "purchaseId", a.id as "attemptId",
        a.transaction_id as "transactionId", a.amount as expected, p.amount as found
      from ${purchases} p join ${charges} a on a.purchase_id = p.id
      where a.kind = 'initial' and a.amount <> p.amount`,
  );
}

/** Includes refunds of more than was paid. */
export function listRefundsWithoutTransaction(db: Db): Promise<InconsistentRow[]> {
  return inconsistentRowsOf(
    db,
    sql`select r.id as "subjectId", r.user_id as "userId", r.purchase_id as "purchaseId",
        r.attempt_id as "attemptId", null as "transactionId", r.amount as expected, null as found
      from ${returns} r where r.transaction_id is null`,
  );
}

/**
 * Ends of grants without a cause: the purchase is still in effect, no administrator took the gift back or gave another tier
 * at that instant, no upgrade replaced it, and no grant makes up for the end.
 */
export function listUnfoundedEnds(db: Db): Promise<InconsistentRow[]> {
  return inconsistentRowsOf(
    db,
    sql`select e.id as "subjectId", g.user_id as "userId", g.purchase_id as "purchaseId", null as "attemptId",
        null as "transactionId", null as expected, null as found
      from ${grantEnds} e join ${grants} g on g.id = e.grant_id left join ${purchases} p on p.id = g.purchase_id
      where g.source <> 'grace' and (g.ends_at is null or e.ends_at < g.ends_at)
        and (${isGift} and e.reason <> ${takenBack} or (
          p.id in (select id from ${purchasesInEffect} o) and p.user_id = g.user_id and p.tier = g.tier))
        and not exists (select from ${grants} made where made.source_id = e.id)
        and not exists (
          select from ${grants} gift
          where gift.user_id = g.user_id and gift.source = 'administrator' and gift.starts_at = e.ends_at)
        and not exists (
          select from ${purchasesInEffect} upgrade where upgrade.id = e.replaced_by and upgrade.user_id = g.user_id)`,
  );
}

/** `expected` is what an upgrade was credited with, `found` the value of that charge now. Skips refunded upgrades. */
export function listUnfoundedCredits(db: Db): Promise<InconsistentRow[]> {
  const creditOf = (purchase: string) =>
    sql`jsonb_to_recordset(${sql.raw(purchase)}.credit_from) as credit("chargeId" text, cents int)`;
  return inconsistentRowsOf(
    db,
    sql`select u.id as "subjectId", u.user_id as "userId", u.id as "purchaseId", credit."chargeId" as "attemptId",
        a.transaction_id as "transactionId", used.amount as expected, greatest(worth.amount, 0) as found
      from ${purchasesInEffect} u cross join lateral ${creditOf("u")}
        left join ${charges} a on a.id = credit."chargeId"
        left join ${purchases} paid on paid.id = a.purchase_id
        cross join lateral (
          select coalesce(a.amount + case a.kind when 'initial' then paid.credit else 0 end, 0)
            - coalesce((select sum(r.amount) from ${returns} r where r.attempt_id = a.id), 0) as amount) worth
        cross join lateral (
          select sum(credit.cents) / 100.0 as amount
          from ${purchasesInEffect} w cross join lateral ${creditOf("w")}
          where w.user_id = u.user_id and w.status = 'completed' and credit."chargeId" = a.id) used
      where u.credit > 0 and u.status = 'completed' and worth.amount < used.amount`,
  );
}

/** Skips those with an open discrepancy. */
export function listOpenPayments(db: Db, sentBy: Date): Promise<InconsistentRow[]> {
  return inconsistentRowsOf(
    db,
    sql`select a.id as "subjectId", a.user_id as "userId", a.purchase_id as "purchaseId", a.id as "attemptId",
        a.transaction_id as "transactionId", a.amount as expected, null as found,
        case a.state when 'held' then 'is holding the charge for review' else ${noAnswer} end as detail
      from ${openPayments} a where a.sent_at <= ${sentBy} and not exists (
        select from ${discrepancies} d where d.kind = 'reference-differs' and d.attempt_id = a.id and d.resolved_at is null)`,
  );
}

/** Without those that a person is asked about already. */
export function listOpenRefunds(db: Db, sentBy: Date): Promise<InconsistentRow[]> {
  return inconsistentRowsOf(
    db,
    sql`select r.id as "subjectId", r.user_id as "userId", r.purchase_id as "purchaseId", r.attempt_id as "attemptId",
        r.transaction_id as "transactionId", r.amount as expected, null as found,
        case r.cause when 'held' then 'is holding the refund for review' else ${noAnswer} end as detail
      from ${openReturns} r where r.sent_at <= ${sentBy} and not exists (
        select from ${discrepancies} d
        where d.kind = 'refund-reference-differs' and d.subject_id = r.id and d.resolved_at is null)`,
  );
}

const isGift = sql`(g.source = any(${sql.param([...giftSources])}))`;

const noAnswer = "hasn’t given a final answer";

const isPaidYetNotCompleted = sql`p.status <> 'completed' and exists (
    select from ${charges} paid where paid.purchase_id = p.id and paid.kind = 'initial')
  and not exists (select from ${openReturns} r where r.purchase_id = p.id)
  and (select sum(paid.amount) from ${charges} paid where paid.purchase_id = p.id)
    > (select coalesce(sum(back.amount), 0) from ${returns} back where back.purchase_id = p.id)
  and not exists (select from ${returns} back where back.purchase_id = p.id and back.ends_access)`;

function chargeColumns(): SQL {
  return sql`a.id as "subjectId", p.user_id as "userId", p.id as "purchaseId", a.id as "attemptId",
    a.transaction_id as "transactionId", a.amount as expected, null as found`;
}

async function inconsistentRowsOf(db: Db, query: SQL): Promise<InconsistentRow[]> {
  const { rows } = (await db.execute(sql`${query} limit ${maxOfKind}`)) as unknown as {
    rows: (Omit<InconsistentRow, "expectedCents" | "foundCents"> & {
      expected: string | null;
      found: string | null;
    })[];
  };
  const centsOf = (amount: string | null) => (amount === null ? null : Math.round(Number(amount) * 100));
  return rows.map(({ expected, found, ...row }) => ({
    ...row,
    expectedCents: centsOf(expected),
    foundCents: centsOf(found),
  }));
}
