import { getColumns, type InferInsertModel, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { grantEnds, grants } from "#server/access/tables.ts";
import { auditLog } from "#server/audit/tables.ts";
import { certificates } from "#server/certificates/tables.ts";
import { checkAnswers } from "#server/checks/tables.ts";
import { contactReplies, contacts } from "#server/contact/tables.ts";
import { coupons, couponUses } from "#server/coupons/tables.ts";
import type { Db } from "#server/db/db.ts";
import { idFor } from "#server/db/id.ts";
import { identities, users } from "#server/identity/tables.ts";
import { jobs } from "#server/jobs/tables.ts";
import { sentEmails } from "#server/mail/tables.ts";
import { paymentAttempts, paymentMethods, receiptCounters } from "#server/payments/tables.ts";
import { courseProgress } from "#server/progress/tables.ts";
import { agreedPrices, agreedRenewal } from "#server/purchases/rules.ts";
import { purchases } from "#server/purchases/tables.ts";
import { questionMarks, questionPosts } from "#server/questions/tables.ts";
import { reconciliationRuns } from "#server/reconciliation/tables.ts";
import { refunds } from "#server/refunds/tables.ts";
import { courseResources, resourceDownloads } from "#server/resources/tables.ts";
import { subscriptions } from "#server/subscriptions/tables.ts";
import { addVisits } from "#server/visits/visits.ts";
import type { GatewayNumbers, History, PastSubscription } from "./rows.ts";
import { networkNumberOf } from "./student.ts";

/** Writes a history within the transaction. */
export async function writeHistory(
  tx: Db,
  history: History,
  numbers: ReadonlyMap<string, GatewayNumbers>,
): Promise<void> {
  const booked = numbered(history, numbers);
  await insertRows(tx, users, history.users);
  await insertRows(tx, identities, history.identities);
  await insertRows(tx, coupons, history.coupons);
  await insertRows(tx, couponUses, history.couponUses);
  await insertRows(tx, purchases, booked.purchases);
  await insertRows(tx, paymentMethods, booked.paymentMethods);
  await insertRows(tx, subscriptions, booked.subscriptions);
  await insertRows(tx, paymentAttempts, booked.attempts);
  await numberReceipts(tx);
  await insertRows(tx, refunds, booked.refunds);
  await insertRows(tx, grants, history.grants);
  await insertRows(tx, grantEnds, history.grantEnds);
  await insertRows(tx, sentEmails, history.emails);
  await insertRows(tx, courseProgress, history.progress);
  await insertRows(tx, checkAnswers, history.answers);
  await insertRows(tx, certificates, history.certificates);
  await insertRows(tx, questionPosts, history.questions);
  await insertRows(tx, questionMarks, history.questionMarks);
  await insertRows(tx, resourceDownloads, history.downloads);
  await insertRows(tx, contacts, history.contacts);
  await insertRows(tx, contactReplies, history.replies);
  await insertRows(tx, reconciliationRuns, history.runs);
  await insertRows(tx, auditLog, history.audit);
  await insertRows(tx, jobs, history.jobs);
  // Adds to today's row, as the server counts visits already.
  await addVisits(tx, history.visits);
  await tx.execute(sql`
    update ${courseResources} as resource set download_count =
      (select count(*) from ${resourceDownloads} as download where download.resource_id = resource.id)`);
}

/** In the order of the charges, years being those of UTC. */
async function numberReceipts(tx: Db): Promise<void> {
  await tx.execute(sql`
    with charges as (
      select id, year, row_number() over (partition by year order by resolved_at, id) as place
      from ${paymentAttempts}, lateral (select extract(year from resolved_at at time zone 'UTC')::int as year) as of_year
      where state = 'approved' and receipt_number is null
    ), counters as (
      insert into ${receiptCounters} as counter (year, last) select year, count(*) from charges group by year
      on conflict (year) do update set last = counter.last + excluded.last
      returning year, last - (select count(*) from charges where charges.year = counter.year) as before
    )
    update ${paymentAttempts} as attempt set receipt_number = year || '-' || lpad((before + place)::text, 4, '0')
    from charges join counters using (year) where attempt.id = charges.id`);
}

/** The rows that name transactions, with the gateway's ids. @internal */
export function numbered(
  {
    purchases,
    attempts,
    refunds,
    subscriptions,
  }: Pick<History, "purchases" | "attempts" | "refunds" | "subscriptions">,
  numbers: ReadonlyMap<string, GatewayNumbers>,
) {
  const transactionOf = (reference?: string) => numbers.get(reference ?? "")?.transId ?? null;
  const charges = attempts.filter(({ state }) => state === "approved");
  const referenceOf = new Map(charges.map(({ id, reference }) => [id, reference]));
  const first = charges.filter(({ kind }) => kind === "initial");
  const firstOf = new Map(first.map(({ purchaseId, reference }) => [purchaseId, reference]));
  return {
    purchases: purchases.map((purchase) => ({ ...purchase, transactionId: transactionOf(firstOf.get(purchase.id)) })),
    attempts: attempts.map((attempt) => ({ ...attempt, transactionId: transactionOf(attempt.reference) })),
    refunds: refunds.map((refund) => {
      const made = refund.kind === "void" ? referenceOf.get(refund.attemptId) : refund.reference;
      return { ...refund, transactionId: transactionOf(made) };
    }),
    ...renewalsOf(subscriptions, numbers),
  };
}

/** The payment methods and subscriptions. */
function renewalsOf(past: readonly PastSubscription[], numbers: ReadonlyMap<string, GatewayNumbers>) {
  const cardIdOf = ({ id }: { readonly id: string }) => idFor(id, "card");
  return {
    paymentMethods: past.map((subscription) => {
      const { purchase, firstCharge, card, isCardKept } = subscription;
      const { customerProfileId = null, paymentProfileId = null } = numbers.get(firstCharge.reference) ?? {};
      const isDiscounted = purchase.amount !== agreedRenewal(purchase);
      return {
        id: cardIdOf(subscription),
        userId: purchase.userId,
        ...{ customerProfileId, paymentProfileId: isCardKept ? paymentProfileId : null },
        networkTransactionId: networkNumberOf(firstCharge),
        chargedAmount: isDiscounted ? purchase.amount : null,
        ...{ brand: card.brand, last4: card.last4 },
        createdAt: purchase.completedAt ?? purchase.createdAt,
      };
    }),
    subscriptions: past.map(({ purchase, firstCharge: _, card: __, isCardKept: ___, ...subscription }) => ({
      ...subscription,
      ...{ purchaseId: purchase.id, userId: purchase.userId, planId: purchase.planId, tier: purchase.tier },
      ...agreedPrices(purchase, 0),
      ...{ paymentMethodId: cardIdOf(subscription), createdAt: purchase.createdAt },
    })),
  };
}

function typeOf(column: PgColumn): string {
  return `${column.getSQLType()}${"[]".repeat(column.dimensions ?? 0)}`;
}

/** Inserts any number of rows by one statement, from one JSON text. */
async function insertRows<Table extends PgTable>(
  tx: Db,
  table: Table,
  rows: readonly InferInsertModel<Table>[],
): Promise<void> {
  const columns = Object.entries(getColumns(table) as Record<string, PgColumn>).filter(
    ([, { generated }]) => !generated,
  );
  const written = rows.map((row) =>
    Object.fromEntries(
      columns.map(([key, column]) => {
        const value = row[key as keyof typeof row] as unknown;
        // A json column gets its value from that text unchanged.
        const isPlain = value === null || value === undefined || column.getSQLType() === "json";
        return [column.name, isPlain ? (value ?? null) : column.mapToDriverValue(value)];
      }),
    ),
  );
  const names = sql.join(
    columns.map(([, { name }]) => sql.identifier(name)),
    sql`, `,
  );
  const types = sql.join(
    columns.map(([, column]) => sql`${sql.identifier(column.name)} ${sql.raw(typeOf(column))}`),
    sql`, `,
  );
  await tx.execute(
    sql`insert into ${table} (${names}) select ${names} from json_to_recordset(${JSON.stringify(written)}::json) as row (${types})`,
  );
}
