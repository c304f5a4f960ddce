import type { AuditListQuery } from "#contract/admin/audit.ts";
import type { ContactListQuery } from "#contract/admin/contacts.ts";
import type { PurchaseListQuery } from "#contract/admin/purchases.ts";
import type { MoneyQuery } from "#contract/admin/statistics.ts";
import type { UserListQuery } from "#contract/admin/users.ts";
import { countContacts, listContacts } from "#server/admin/contacts/contacts.ts";
import {
  describeFunnel,
  describeLifetimeValue,
  describeRetention,
  describeSignUps,
} from "#server/admin/figures/figures.ts";
import { countAudit, listAudit } from "#server/admin/history/history.ts";
import { describeLearning } from "#server/admin/learning/learning.ts";
import type { RowSelection } from "#server/admin/paging.ts";
import { countPurchases, listPurchases } from "#server/admin/purchases/purchases.ts";
import { describeMoney } from "#server/admin/statistics/money.ts";
import { countUsers, listUsers } from "#server/admin/users/users.ts";
import { readMeter } from "#server/coaching/meter.ts";
import type { Context } from "#server/context/context.ts";
import type { User } from "#server/identity/users.ts";
import { byteOrderMark, type Cell, csvRow } from "./csv.ts";

/** A CSV file in chunks, and how many rows it has besides the heading. */
export interface Export {
  readonly rows: number;
  readonly chunks: AsyncGenerator<string>;
}

const batch = 1000;

export async function exportUsers(ctx: Context, actor: User, query: UserListQuery & RowSelection): Promise<Export> {
  return csvOf(
    [
      "id",
      "email",
      "emailVerified",
      "firstName",
      "lastName",
      "phone",
      "location",
      "tier",
      "status",
      "reason",
      "createdAt",
    ],
    (await countUsers(ctx, query)).total,
    pages((after) => listUsers(ctx, actor, { ...query, limit: batch, after })),
    (user) => [
      user.id,
      user.email,
      user.emailVerified,
      user.firstName,
      user.lastName,
      user.phone,
      user.location,
      user.purchasedTier,
      user.accountStatus,
      user.suspensionReason,
      user.createdAt,
    ],
  );
}

export async function exportPurchases(
  ctx: Context,
  actor: User,
  query: PurchaseListQuery & RowSelection,
): Promise<Export> {
  return csvOf(
    [
      ...["id", "userId", "userName", "userEmail", "plan", "tier", "amount", "refunded", "status", "transactionId"],
      ...["subscriptionId", "subscriptionStatus", "paymentDeclined", "nextBillingDate", "createdAt", "completedAt"],
      ...["credit", "discount", "code"],
    ],
    (await countPurchases(ctx, query)).total,
    pages((after) => listPurchases(ctx, actor, { ...query, limit: batch, after })),
    (purchase) => [
      purchase.id,
      purchase.userId,
      purchase.userName,
      purchase.userEmail,
      purchase.planName,
      purchase.tier,
      purchase.amount,
      purchase.refundedAmount,
      purchase.status,
      purchase.transactionId,
      purchase.subscriptionId,
      purchase.isRecurring ? purchase.subscriptionStatus : null,
      purchase.paymentDeclined,
      purchase.nextBillingDate,
      purchase.createdAt,
      purchase.completedAt,
      purchase.creditAmount,
      purchase.discount,
      purchase.couponCode,
    ],
  );
}

export async function exportContacts(ctx: Context, query: ContactListQuery & RowSelection): Promise<Export> {
  return csvOf(
    ["id", "name", "email", "message", "state", "replies", "userId", "createdAt"],
    (await countContacts(ctx, query)).total,
    pages((after) => listContacts(ctx, { ...query, limit: batch, after })),
    ({ id, name, email, message, state, replies, userId, createdAt }) => [
      ...[id, name, email, message, state, replies],
      ...[userId, createdAt],
    ],
  );
}

export async function exportAudit(ctx: Context, query: AuditListQuery): Promise<Export> {
  return csvOf(
    ["id", "at", "actor", "actorName", "action", "subjectKind", "subject", "subjectName", "before", "after", "reason"],
    (await countAudit(ctx, query)).total,
    pages((after) => listAudit(ctx, { ...query, limit: batch, after })),
    (entry) => [
      entry.id,
      entry.createdAt,
      entry.actor,
      entry.actorName,
      entry.action,
      entry.subjectKind,
      entry.subject,
      entry.subjectName,
      entry.before === null ? null : JSON.stringify(entry.before),
      entry.after === null ? null : JSON.stringify(entry.after),
      entry.reason,
    ],
  );
}

export async function exportMoney(ctx: Context, query: MoneyQuery): Promise<Export> {
  const columns = [
    ...(["charged", "charges", "refunded", "refunds", "revenue", "newSubscriptions", "lostSubscriptions"] as const),
    ...(["declines", "recoveries", "mrr", "subscriptions"] as const),
  ];
  const { periods } = await describeMoney(ctx, query);
  return csvOf(["start", ...columns], periods.length, [periods], (period) => [
    period.start,
    ...columns.map((column) => period[column]),
  ]);
}

export async function exportSignUps(ctx: Context, query: MoneyQuery): Promise<Export> {
  const { periods } = await describeSignUps(ctx, query);
  return csvOf(["start", "signUps", "paid"], periods.length, [periods], ({ start, signUps, paid }) => [
    start,
    signUps,
    paid,
  ]);
}

export async function exportFunnel(ctx: Context, query: MoneyQuery): Promise<Export> {
  const columns = ["landing", "plan", "account", "card", "paid"] as const;
  const { periods } = await describeFunnel(ctx, query);
  return csvOf(["start", ...columns], periods.length, [periods], (period) => [
    period.start,
    ...columns.map((column) => period[column]),
  ]);
}

/** A row for each cohort and period. */
export async function exportRetention(ctx: Context): Promise<Export> {
  const { cohorts } = await describeRetention(ctx);
  const periods = cohorts.flatMap(({ month, kept }) => kept.map((counted, period) => ({ month, period, ...counted })));
  return csvOf(["month", "period", "students", "of"], periods.length, [periods], ({ month, period, students, of }) => [
    ...[month, period, students, of],
  ]);
}

/** In cents; each row is for a plan or a month. */
export async function exportLifetimeValue(ctx: Context): Promise<Export> {
  const columns = ["students", "chargedCents", "refundedCents", "netCents", "valueCents"] as const;
  const { plans, cohorts } = await describeLifetimeValue(ctx);
  const groups = [
    ...plans.map((plan) => ({ month: null, ...plan })),
    ...cohorts.map((cohort) => ({ planName: null, ...cohort })),
  ];
  return csvOf(["plan", "month", ...columns], groups.length, [groups], (group) => [
    ...[group.planName, group.month],
    ...columns.map((column) => group[column]),
  ]);
}

export async function exportLearning(ctx: Context): Promise<Export> {
  const columns = ["started", "completed", "stoppedHere", "lastCompleted", "watchSeconds", "downloads"] as const;
  const lessons = (await describeLearning(ctx)).modules.flatMap((module) =>
    module.lessons.map((lesson) => ({ ...lesson, module: module.title })),
  );
  return csvOf(["module", "lessonId", "lesson", ...columns], lessons.length, [lessons], (lesson) => [
    lesson.module,
    lesson.lessonId,
    lesson.title,
    ...columns.map((column) => lesson[column]),
  ]);
}

/** Promised and used 1-on-1 sessions by month, for two years. */
export async function exportCoaching(ctx: Context): Promise<Export> {
  const columns = ["owed", "offered", "booked", "held", "missedByUs", "returned", "expired"] as const;
  const { months } = await readMeter(ctx.db, 24, ctx.clock.now());
  return csvOf(["month", ...columns], months.length, [months], (month) => [
    month.month,
    ...columns.map((column) => month[column]),
  ]);
}

function csvOf<Row>(
  columns: readonly string[],
  rows: number,
  pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  cells: (row: Row) => readonly Cell[],
): Export {
  return { rows, chunks: chunksOf(columns, pages, cells) };
}

async function* chunksOf<Row>(
  columns: readonly string[],
  pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  cells: (row: Row) => readonly Cell[],
): AsyncGenerator<string> {
  let heading = byteOrderMark + csvRow(columns);
  for await (const rows of pages) {
    yield heading + rows.map((row) => csvRow(cells(row))).join("");
    heading = "";
  }
  if (heading) yield heading;
}

async function* pages<Row extends { readonly id: string }>(
  read: (after: string | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let after: string | undefined;
  for (;;) {
    const rows = await read(after);
    if (rows.length > 0) yield rows;
    if (rows.length < batch) return;
    after = rows.at(-1)?.id;
  }
}
