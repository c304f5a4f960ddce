import { z } from "zod";
import { type ExportedList, selectionOf } from "#contract/admin/admin.ts";
import { AuditFilter, AuditListQuery } from "#contract/admin/audit.ts";
import { ContactFilter, ContactListQuery } from "#contract/admin/contacts.ts";
import { FiguresQuery } from "#contract/admin/figures.ts";
import { PurchaseFilter, PurchaseListQuery } from "#contract/admin/purchases.ts";
import { MoneyQuery } from "#contract/admin/statistics.ts";
import { UserFilter, UserListQuery } from "#contract/admin/users.ts";
import { dollarsOf } from "#contract/money.ts";
import {
  describeFunnel,
  describeLifetimeValue,
  describeRetention,
  describeSignUps,
} from "#server/admin/figures/figures.ts";
import { listAudit } from "#server/admin/history/history.ts";
import { describeLearning } from "#server/admin/learning/learning.ts";
import { countPurchases, listPurchases } from "#server/admin/purchases/purchases.ts";
import { describeMoney } from "#server/admin/statistics/money.ts";
import { countUsers, listUsersWithPayments } from "#server/admin/users/users.ts";
import { readMeter } from "#server/coaching/meter.ts";
import { countContacts, listContacts } from "#server/contact/administration.ts";
import type { Context } from "#server/context/context.ts";
import type { User } from "#server/identity/users.ts";
import { academyZone } from "#server/settings/settings.ts";
import { type Column, type Rows, type Table, tableOf } from "./table.ts";

interface Export {
  readonly body: z.ZodType;
  /** `body` is what the schema has read. */
  readonly open: (ctx: Context, body: unknown, actor: User) => Promise<Table>;
}

/** Each list's request body and columns. */
export const exportOfList: Readonly<Record<ExportedList, Export>> = {
  users: exportOf(
    selectionOf(UserFilter),
    async (ctx, selection, actor) => {
      const query = { ...UserListQuery.parse({}), ...rowsOf(selection) };
      const { total } = await countUsers(ctx, query);
      return paged(total, (page) => listUsersWithPayments(ctx, actor, { ...query, ...page }));
    },
    [
      ["ID", "text", "id"],
      ["Email", "text", "email"],
      ["Email confirmed", "boolean", "emailVerified"],
      ["First name", "text", "firstName"],
      ["Last name", "text", "lastName"],
      ["Phone", "text", "phone"],
      ["Location", "text", "location"],
      ["Tier", "text", "tier"],
      ["Plan", "text", "planName"],
      ["Access until", "instant", "accessUntil"],
      ["Paid in all (USD)", "money", ({ paidCents }) => paidCents && dollarsOf(paidCents)],
      ["Refunded (USD)", "money", ({ refundedCents }) => refundedCents && dollarsOf(refundedCents)],
      ["Status", "text", "accountStatus"],
      ["Status reason", "text", "suspensionReason"],
      ["Joined", "instant", "createdAt"],
      ["Last sign-in", "instant", "lastSignInAt"],
    ],
  ),

  purchases: exportOf(
    selectionOf(PurchaseFilter),
    async (ctx, selection, actor) => {
      const query = { ...PurchaseListQuery.parse({}), ...rowsOf(selection) };
      const { total } = await countPurchases(ctx, query);
      return paged(total, (page) => listPurchases(ctx, actor, { ...query, ...page }));
    },
    [
      ["ID", "text", "id"],
      ["User ID", "text", "userId"],
      ["User name", "text", "userName"],
      ["User email", "text", "userEmail"],
      ["Plan", "text", "planName"],
      ["Tier", "text", "tier"],
      ["Amount (USD)", "money", "amount"],
      ["Refunded (USD)", "money", "refundedAmount"],
      ["Credit (USD)", "money", "creditAmount"],
      ["Discount (USD)", "money", "discount"],
      ["Coupon", "text", "couponCode"],
      ["Status", "text", "status"],
      ["Receipts", "text", ({ receiptNumbers }) => receiptNumbers.join(", ")],
      ["Transaction ID", "text", "transactionId"],
      ["Subscription ID", "text", "subscriptionId"],
      [
        "Subscription status",
        "text",
        ({ isRecurring, subscriptionStatus }) => (isRecurring ? subscriptionStatus : null),
      ],
      ["Payment declined", "boolean", "paymentDeclined"],
      ["Next billing", "instant", "nextBillingDate"],
      ["Created", "instant", "createdAt"],
      ["Completed", "instant", "completedAt"],
    ],
  ),

  contacts: exportOf(
    selectionOf(ContactFilter),
    async (ctx, selection) => {
      const query = { ...ContactListQuery.parse({}), ...rowsOf(selection) };
      const { total } = await countContacts(ctx, query);
      return paged(total, (page) => listContacts(ctx, { ...query, ...page }));
    },
    [
      ["ID", "text", "id"],
      ["Name", "text", "name"],
      ["Email", "text", "email"],
      ["Message", "text", "message"],
      ["Status", "text", "state"],
      ["Replies", "number", "replies"],
      ["User ID", "text", "userId"],
      ["Received", "instant", "createdAt"],
    ],
  ),

  money: exportOf(MoneyQuery, async (ctx, query) => whole((await describeMoney(ctx, query)).periods), [
    ["First day", "day", "start"],
    ["Charged (USD)", "money", "charged"],
    ["Charges", "number", "charges"],
    ["Refunded (USD)", "money", "refunded"],
    ["Refunds", "number", "refunds"],
    ["Revenue (USD)", "money", "revenue"],
    ["New subscriptions", "number", "newSubscriptions"],
    ["Lost subscriptions", "number", "lostSubscriptions"],
    ["Declined renewals", "number", "declines"],
    ["Recovered renewals", "number", "recoveries"],
    ["Recurring per 30 days (USD)", "money", "mrr"],
    ["Subscriptions", "number", "subscriptions"],
  ]),

  "sign-ups": exportOf(FiguresQuery, async (ctx, query) => whole((await describeSignUps(ctx, query)).periods), [
    ["First day", "day", "start"],
    ["Sign-ups", "number", "signUps"],
    ["Paid since", "number", "paid"],
  ]),

  funnel: exportOf(FiguresQuery, async (ctx, query) => whole((await describeFunnel(ctx, query)).periods), [
    ["First day", "day", "start"],
    ["Landing page", "number", "landing"],
    ["Plan chosen", "number", "plan"],
    ["Account", "number", "account"],
    ["Card submitted", "number", "card"],
    ["Paid", "number", "paid"],
  ]),

  retention: exportOf(
    z.strictObject({}),
    async (ctx) => {
      const { cohorts } = await describeRetention(ctx);
      return whole(
        cohorts.flatMap(({ month, kept }) => kept.map((counted, period) => ({ month, period, ...counted }))),
      );
    },
    [
      ["Month of first payment", "day", "month"],
      ["Periods since", "number", "period"],
      ["Students who paid", "number", "students"],
      ["Students there long enough", "number", "of"],
    ],
  ),

  // Each row is for a plan or a month.
  value: exportOf(
    z.strictObject({}),
    async (ctx) => {
      const { plans, cohorts } = await describeLifetimeValue(ctx);
      return whole([
        ...plans.map((plan) => ({ month: null, ...plan })),
        ...cohorts.map((cohort) => ({ planName: null, ...cohort })),
      ]);
    },
    [
      ["First plan", "text", "planName"],
      ["Month of first payment", "day", "month"],
      ["Students", "number", "students"],
      ["Charged (USD)", "money", ({ chargedCents }) => dollarsOf(chargedCents)],
      ["Refunded (USD)", "money", ({ refundedCents }) => dollarsOf(refundedCents)],
      ["Net (USD)", "money", ({ netCents }) => dollarsOf(netCents)],
      ["Net per student (USD)", "money", ({ valueCents }) => dollarsOf(valueCents)],
    ],
  ),

  learning: exportOf(
    z.strictObject({}),
    async (ctx) => {
      const { modules } = await describeLearning(ctx);
      return whole(modules.flatMap(({ title, lessons }) => lessons.map((lesson) => ({ ...lesson, module: title }))));
    },
    [
      ["Module", "text", "module"],
      ["Lesson ID", "text", "lessonId"],
      ["Lesson", "text", "title"],
      ["Started", "number", "started"],
      ["Completed", "number", "completed"],
      ["Stopped here", "number", "stoppedHere"],
      ["Last completed", "number", "lastCompleted"],
      ["Watched (seconds)", "number", "watchSeconds"],
      ["Downloads", "number", "downloads"],
      ["Questions", "number", "questions"],
    ],
  ),

  // For two years.
  coaching: exportOf(z.strictObject({}), async (ctx) => whole((await readMeter(ctx.db, 24, ctx.clock.now())).months), [
    ["Month", "day", "month"],
    ["Owed", "number", "owed"],
    ["Offered", "number", "offered"],
    ["Booked", "number", "booked"],
    ["Held", "number", "held"],
    ["Missed by us", "number", "missedByUs"],
    ["Returned", "number", "returned"],
    ["Expired", "number", "expired"],
  ]),

  audit: exportOf(
    AuditFilter,
    async (ctx, filter) => {
      const query = AuditListQuery.parse(filter);
      const { total } = await listAudit(ctx, { ...query, limit: 1 });
      return paged(total ?? 0, async (page) => (await listAudit(ctx, { ...query, ...page })).rows);
    },
    [
      ["ID", "text", "id"],
      ["Time", "instant", "createdAt"],
      ["Actor ID", "text", "actor"],
      ["Actor", "text", "actorName"],
      ["Token", "text", "token"],
      ["Action", "text", "action"],
      ["Subject kind", "text", "subjectKind"],
      ["Subject ID", "text", "subject"],
      ["Subject", "text", "subjectName"],
      ["Before", "text", ({ before }) => (before === null ? null : JSON.stringify(before))],
      ["After", "text", ({ after }) => (after === null ? null : JSON.stringify(after))],
      ["Reason", "text", "reason"],
    ],
  ),
};

function exportOf<Body extends z.ZodType, Row>(
  body: Body,
  read: (ctx: Context, body: z.output<Body>, actor: User) => Promise<Rows<Row>>,
  columns: readonly Column<Row>[],
): Export {
  return {
    body,
    open: async (ctx, chosen, actor) => {
      return tableOf(columns, await read(ctx, chosen as z.output<Body>, actor), await academyZone(ctx.db));
    },
  };
}

function rowsOf<Filter>(selection: { ids: string[] } | { filter: Filter; except: string[] }) {
  return "ids" in selection ? selection : { ...selection.filter, except: selection.except };
}

function whole<Row>(rows: readonly Row[]): Rows<Row> {
  return { total: rows.length, pages: [rows] };
}

const limit = 1000;

function paged<Row extends { readonly id: string }>(
  total: number,
  read: (page: { limit: number; after: string | undefined }) => Promise<readonly Row[]>,
): Rows<Row> {
  async function* pages() {
    let after: string | undefined;
    for (;;) {
      const rows = await read({ limit, after });
      yield rows;
      if (rows.length < limit) return;
      after = rows.at(-1)?.id;
    }
  }
  return { total, pages: pages() };
}
