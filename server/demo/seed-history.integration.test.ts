import { drizzle } from "drizzle-orm/node-postgres";
import { expect, test } from "vitest";
import { demoAccounts } from "#content/demo-accounts.ts";
import { getFunnel, getLifetimeValue, getRetention, getSignUps } from "#contract/admin/figures.ts";
import { listAllPurchases } from "#contract/admin/purchases.ts";
import { runReconciliation } from "#contract/admin/reconciliation.ts";
import { getCheckFigures, getLearning, getMoney, getStats } from "#contract/admin/statistics.ts";
import { listVideos } from "#contract/admin/studio.ts";
import { decimalAmount } from "#contract/money.ts";
import { purchasesWithSubscriptions } from "#server/subscriptions/tables.ts";
import { addressOf } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { databaseOfFile, forFile } from "#test/fixtures.ts";
import { findings } from "#test/operate.ts";
import { expectReceiptNumbersWithoutGaps } from "#test/receipt-numbers.ts";
import { folderOfFile } from "#test/temporary-folder.ts";
import { until } from "#test/until.ts";

/** Empty counts as absent: the demo's own default. */
const withHistory = { DEMO_HISTORY: "" };

const folder = folderOfFile();
const { database, pool } = await databaseOfFile();
const start = () => openAcademyInProcess({ ...withHistory, DATA_DIR: folder }, database);
// Its first start fails after the sandbox's ledger and half of the tables were filled.
await pool.query("alter table coupon_uses add constraint not_yet check (false)");
await expect(start()).rejects.toThrow(/coupon_uses/);
await pool.query("alter table coupon_uses drop constraint not_yet");
const academy = await forFile(start());
// The jobs that became due meanwhile.
await academy.advance("0s");

async function rowsOf(statement: string): Promise<Record<string, number>[]> {
  return (await academy.pool.query(statement)).rows;
}

const admin = () => academy.visitor().signInAsDemo("admin@academy.test");
const cents = (amount: number | string) => Math.round(Number(amount) * 100);
const counted = () =>
  rowsOf(`select (select count(*)::int from users) as users, (select count(*)::int from purchases) as purchases,
    (select count(*)::int from payment_attempts) as attempts, (select count(*)::int from grants) as grants,
    (select count(*)::int from sent_emails) as emails, (select count(*)::int from jobs) as jobs,
    (select sum(download_count)::int from course_resources) as downloads`);

test("a film is uploaded for the draft of a lesson, and converted after the start", async () => {
  const owner = await admin();
  const video = await until(async () =>
    (await owner.call(listVideos)).body.videos.find(({ state }) => state === "ready" || state === "failed"),
  );
  expect(video).toMatchObject({ state: "ready", fileName: "buying-list.mp4", usedBy: "a draft", lengthSeconds: 10 });
});

test("a first start that failed is finished by the next: one year, and the people of the demo with it", async () => {
  const [row] = await rowsOf(`select count(*)::int as people,
    (count(*) filter (where created_at < now() - interval '300 days'))::int as early from users`);
  expect(row?.people).toBeGreaterThan(400);
  expect(row?.early).toBeGreaterThan(0);
  const { rows } = await academy.pool.query("select email from users where email = any($1)", [
    demoAccounts.map(({ email }) => email),
  ]);
  expect(rows.length).toBe(demoAccounts.length);
  const [twice] = await rowsOf(
    "select count(*)::int as n from (select from users group by lower(email) having count(*) > 1)",
  );
  expect(twice?.n).toBe(0);
});

test("the ledger's charges and refunds are recorded to the cent, and nothing else", async () => {
  const ledger = await academy.ledger();
  const booked = await academy.pool.query(
    `select transaction_id as number, amount from payment_attempts where state in ('approved', 'declined')
     union all select transaction_id, -amount from refunds r where state = 'returned' and not exists (
       select from payment_attempts where transaction_id = r.transaction_id)`,
  );
  const expected = new Map(booked.rows.map(({ number, amount }) => [number, cents(amount)]));
  const found = ledger.map(({ transId, type, amount }) => [
    transId,
    cents(amount) * (type === "refundTransaction" ? -1 : 1),
  ]);
  expect(new Map(found as [string, number][])).toEqual(expected);
  await expectReceiptNumbersWithoutGaps(academy.pool);
});

test("the view of purchases with their subscriptions has what the answers say", async () => {
  const visitor = await admin();
  const iso = (at: unknown) => at && new Date(at as Date).toISOString();
  const rows = await drizzle({ client: academy.pool }).select().from(purchasesWithSubscriptions);
  const stored = new Map(rows.map((row) => [row.id, row]));
  const states = new Set<string>();
  for (let after: string | undefined; stored.size > 0; ) {
    const page = (await visitor.call(listAllPurchases, { query: { limit: "200", ...(after && { after }) } })).body;
    for (const purchase of page) {
      const row = stored.get(purchase.id);
      expect(purchase).toMatchObject({
        ...row,
        amount: decimalAmount(row?.amount ?? 0),
        nextBillingDate: iso(row?.nextBillingDate),
        lastPaymentAttempt: iso(row?.lastPaymentAttempt),
        createdAt: iso(row?.createdAt),
      });
      states.add(`${row?.subscriptionStatus} ${row?.paymentDeclined} ${row?.isRecurring}`);
      stored.delete(purchase.id);
    }
    after = page.at(-1)?.id ?? expect.unreachable("a purchase of the view is not in the answers");
  }
  expect(states.size).toBeGreaterThan(3);
});

test("the doctor finds no problem", async () => {
  const env = { DATA_DIR: folder, DATABASE_URL: addressOf(database), PORT: new URL(academy.url).port };
  expect((await Array.fromAsync(findings(env))).filter(({ problem }) => problem)).toEqual([]);
});

/** The query of a year's figures. */
const byMonth = { by: "month", from: new Date(Date.now() - 366 * 86_400_000).toISOString().slice(0, 10) } as const;

test("its year has something for every figure, and each purchase is paid for as the rules say", async () => {
  const [sums] = await rowsOf(`select
    (select count(*)::int from purchases join plans on plans.id = plan_id
      where purchases.amount + credit + discount <> plans.price) as wrong,
    (select count(*)::int from coupons where uses > 0) as coupons,
    (select count(*)::int from users where account_status <> 'deleted') as users,
    (select count(*)::int from contacts) as contacts,
    (select count(distinct user_id)::int from course_progress) as learners`);
  expect(sums?.coupons).toBeGreaterThan(0);
  expect(sums?.wrong).toBe(0);

  const visitor = await admin();
  const stats = (await visitor.call(getStats)).body;
  expect([stats.totalUsers, stats.totalContacts]).toEqual([sums?.users, sums?.contacts]);
  const money = (await visitor.call(getMoney, { query: byMonth })).body;
  expect(money.periods.filter(({ charged }) => charged > 0).length).toBeGreaterThan(11);
  for (const figure of ["refunds", "declines", "recoveries", "lostSubscriptions"] as const) {
    expect(money.total[figure], figure).toBeGreaterThan(0);
  }
  const questions = (await visitor.call(getCheckFigures)).body;
  expect(questions.every(({ answered, wrongAnswer }) => answered > 10 && wrongAnswer !== null)).toBe(true);
  expect(questions.filter(({ isConfusing }) => isConfusing)).toHaveLength(1);
  const { students, modules } = (await visitor.call(getLearning)).body;
  expect(students).toBe(sums?.learners);
  const watchable = modules.flatMap(({ lessons }) => lessons).filter(({ comingSoon }) => !comingSoon);
  expect(watchable[0]?.started).toBeGreaterThan(watchable.at(-1)?.started ?? 0);
});

test("its figures agree with the payments and with each other, month by month", async () => {
  const visitor = await admin();
  const { total, cohorts } = (await visitor.call(getLifetimeValue)).body;
  const byHand = await rowsOf(`select to_char(first, 'YYYY-MM-01') as month,
      ((sum(charged) - sum(refunded)) * 100)::int as cents from (
        select (select min(resolved_at) at time zone 'UTC' from payment_attempts where user_id = users.id and state = 'approved') as first,
          (select sum(amount) from payment_attempts where user_id = users.id and state = 'approved') as charged,
          (select coalesce(sum(amount), 0) from refunds where user_id = users.id and state = 'returned') as refunded
        from users) as student
    where first is not null group by 1 order by 1 desc`);
  expect(cohorts.map(({ month, netCents }) => ({ month, cents: netCents }))).toEqual(byHand);

  const funnel = (await visitor.call(getFunnel, { query: byMonth })).body;
  for (const { start, landing, plan, account, card, paid } of funnel.periods) {
    const steps = [landing, plan, account, card, paid];
    expect(steps, start).toEqual(steps.toSorted((one, other) => other - one));
  }
  const signUps = (await visitor.call(getSignUps, { query: byMonth })).body;
  expect([funnel.total.paid, signUps.total.paid]).toEqual([total.students, total.students]);
  const retained = (await visitor.call(getRetention)).body.cohorts;
  expect(retained.length).toBeGreaterThan(10);
  const [monthly] = await rowsOf(`select count(distinct charge.user_id)::int as students from payment_attempts as charge
    join purchases on purchases.id = purchase_id where state = 'approved' and tier = 'basic'`);
  expect(retained.reduce((sum, { students }) => sum + students, 0)).toBe(monthly?.students);
});

test("a start that is not the first adds nothing", async () => {
  const before = await counted();
  await academy.stop();
  await academy.start();
  const after = await counted();
  // The jobs that come back regularly may have run.
  expect(after.map(({ jobs: _, emails: __, ...row }) => row)).toEqual(
    before.map(({ jobs: _, emails: __, ...row }) => row),
  );
});

test("subscriptions that were due since are charged, and a year of books agrees with the gateway's", async () => {
  const renewals = "select count(*)::int as n from payment_attempts where kind = 'renewal' and state = 'approved'";
  const due = (statuses: string) => `select count(*)::int as n from subscriptions
    join purchases on purchases.id = purchase_id join users on users.id = subscriptions.user_id
    where purchases.status = 'completed' and subscriptions.status in (${statuses}) and account_status = 'active'
      and next_charge_at <= now() + interval '4 days' - interval '1 hour'`;
  const [[before], [active]] = [await rowsOf(renewals), await rowsOf(due("'active'"))];
  // The lists of a comparison have each charge of 120 days. Asking for each one again would take ten seconds.
  for (const table of ["payment_attempts", "refunds"]) {
    await academy.pool.query(`update ${table} set checked_at = now()`);
  }
  await academy.advance("4d");
  const [after] = await rowsOf(renewals);
  expect(active?.n).toBeGreaterThan(0);
  expect((after?.n ?? 0) - (before?.n ?? 0)).toBeGreaterThanOrEqual(active?.n ?? 0);
  expect((await rowsOf(due("'active', 'retrying', 'declined'")))[0]?.n).toBe(0);

  await academy.pool.query("delete from reconciliation_runs");
  const { body } = await (await admin()).call(runReconciliation, { body: {} });
  expect(body.lastError).toBeNull();
  expect(body.rows.filter(({ resolvedAt }) => resolvedAt === null)).toEqual([]);
});
