import { expect } from "vitest";
import { getFunnel, getLifetimeValue, getRetention, getSignUps } from "#contract/admin/figures.ts";
import { getMoney } from "#contract/admin/statistics.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { booksOf } from "#test/books.ts";
import { academyOfFile } from "#test/fixtures.ts";

const { academy, administrator: admin, test } = await academyOfFile();

const { refund } = booksOf(admin);
const signUps = async (query = {}) => (await admin.call(getSignUps, { query })).body;
const funnel = async () => (await admin.call(getFunnel)).body;
const value = async () => (await admin.call(getLifetimeValue)).body;

/** What the money page adds up over all time, and SQL of its own. */
async function expectToAgreeWithTheMoneyPage(): Promise<void> {
  const to = new Date(await academy.now()).toISOString().slice(0, 10);
  const money = (await admin.call(getMoney, { query: { by: "month", from: "2020-01-01", to } })).body;
  const { total, plans, cohorts } = await value();
  const { rows } = await academy.pool.query<{ charged: number; refunded: number; students: number }>(`select
    (select (sum(amount) * 100)::int from payment_attempts where state = 'approved') as charged,
    (select (coalesce(sum(amount), 0) * 100)::int from refunds where state = 'returned') as refunded,
    (select count(distinct user_id)::int from payment_attempts where state = 'approved') as students`);
  expect(total).toMatchObject({
    students: rows[0]?.students,
    chargedCents: rows[0]?.charged,
    refundedCents: rows[0]?.refunded,
    netCents: Math.round(money.total.revenue * 100),
  });
  for (const groups of [plans, cohorts]) {
    for (const figure of ["students", "chargedCents", "refundedCents", "netCents"] as const) {
      expect(
        groups.reduce((sum, group) => sum + group[figure], 0),
        figure,
      ).toBe(total[figure]);
    }
  }
}

// First, because it counts everybody of a month.
test("a cohort keeps who renews: not who cancels, who declines, or who is paid back", async () => {
  const people = [await academy.buyer("basic"), await academy.buyer("basic"), await academy.buyer("basic")];
  const [, cancelling, refunded] = people;
  await cancelling?.send("POST", "/api/user/subscription/cancel", "{}");
  expect((await refund((await refunded?.purchase())?.id ?? "")).status).toBe(200);
  const first = (await admin.call(getRetention)).body.cohorts[0];
  const students = first?.students ?? 0;
  expect(first?.kept).toEqual([{ students: students - 1, of: students }]);

  await academy.advance("31d", admin);
  const later = (await admin.call(getRetention)).body.cohorts.find(({ month }) => month === first?.month);
  expect(later).toMatchObject({ students, kept: [first?.kept[0], { of: students }] });
  const { rows: renewed } = await academy.pool.query(
    `select charge.user_id from payment_attempts as charge join purchases on purchases.id = purchase_id
      where state = 'approved' and tier = 'basic' group by charge.user_id having count(*) > 1`,
  );
  expect(later?.kept[1]?.students).toBe(renewed.length);
  expect(renewed.length).toBeGreaterThan(0);
  expect(renewed.length).toBeLessThan(students - 1);
});

test("a sign-up is converted by its first payment, on the day of the sign-up, and stays so when it is paid back", async () => {
  const before = await signUps();
  const student = await academy.visitor().signUp();
  await academy.visitor().signUp();
  expect((await signUps()).total).toEqual({ signUps: before.total.signUps + 2, paid: before.total.paid });
  const { purchaseId } = (await student.buy("premium")).body;
  const bought = await signUps();
  expect(bought.total).toEqual({ signUps: before.total.signUps + 2, paid: before.total.paid + 1 });
  expect((await refund(purchaseId)).status).toBe(200);
  expect(await signUps()).toEqual(bought);
  expect(bought.periods).toHaveLength(30);
  expect((await signUps({ by: "month" })).periods).toHaveLength(12);
  const { rows } = await academy.pool.query("select count(*)::int as made from users");
  expect((await signUps({ by: "month" })).total.signUps).toBe(rows[0].made);
});

test("the funnel counts a student once, at the first card, and nobody who has paid before", async () => {
  const { total: before } = await funnel();
  const student = await academy.visitor().signUp();
  await student.buy("basic", { zip: "46282" });
  expect((await funnel()).total).toEqual({ ...before, account: before.account + 1, card: before.card + 1 });
  await student.buy("basic");
  const paid = { ...before, account: before.account + 1, card: before.card + 1, paid: before.paid + 1 };
  expect((await funnel()).total).toEqual(paid);
  const upgrade = await student.buyQuoted("vip");
  expect(upgrade.status).toBe(200);
  expect((await funnel()).total).toEqual(paid);
});

test("lifetime value is charges less refunds, and equals the money page to the cent", async () => {
  const { plans: before } = await value();
  const monthly = (plans: typeof before) => plans.find(({ tier }) => tier === "basic");
  const student = await academy.buyer("basic");
  const upgrade = await student.quotedPaymentFor("premium");
  expect((await student.call(acceptPayment, { body: upgrade })).status).toBe(200);
  const { plans: during } = await value();
  expect(monthly(during)).toMatchObject({
    students: (monthly(before)?.students ?? 0) + 1,
    chargedCents: (monthly(before)?.chargedCents ?? 0) + 4_900 + Math.round(upgrade.amount * 100),
  });
  await expectToAgreeWithTheMoneyPage();
  expect((await refund((await academy.purchase("basic")).purchaseId)).status).toBe(200);
  await expectToAgreeWithTheMoneyPage();
  expect(monthly((await value()).plans)?.refundedCents).toBe((monthly(before)?.refundedCents ?? 0) + 4_900);
});
