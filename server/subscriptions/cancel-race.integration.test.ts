import { expect, test } from "vitest";
import { getCourseAccess } from "#contract/access.ts";
import { acceptPayment, listUserPurchases } from "#contract/purchases/purchases.ts";
import { cancelOwnSubscription } from "#contract/purchases/subscriptions.ts";
import { openPool } from "#server/db/db.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";

const many = 12;
const DAY = 86_400_000;

test("anybody who cancels at the instant of the renewal is cancelled before it, or charged and then ends: never both [P29]", async () => {
  await using academy = await openAcademyInProcess();
  const pool = openPool(academy.database.connection, () => {}, 1);
  try {
    const students = await Promise.all(Array.from({ length: many }, () => academy.visitor().signUp()));
    for (const student of students) {
      expect((await student.call(acceptPayment, { body: await student.paymentFor("basic") })).status).toBe(200);
    }
    await academy.advance("29d23h55m");
    for (const student of students) await student.signInAgain();

    const cancelled = students.map((student) => student.call(cancelOwnSubscription, { body: {} }));
    const [, ...answers] = await Promise.all([academy.advance("10m"), ...cancelled]);
    expect(answers.map(({ status }) => status)).toEqual(students.map(() => 200));
    await academy.advance("5m");
    const query = `select s.current_period_end as paid_until, p.completed_at, count(a.id)::int as charges from purchases p
        join users u on u.id = p.user_id join payment_attempts a on a.purchase_id = p.id and a.state = 'approved'
        join subscriptions s on s.purchase_id = p.id where u.email = $1 group by p.id, s.id`;
    for (const student of students) {
      const { paid_until, completed_at, charges } = (await pool.query(query, [student.email])).rows[0];
      expect((paid_until - completed_at) / DAY).toBeCloseTo(30 * charges, 0);
      const access = (await student.call(getCourseAccess)).body;
      expect([charges, access.hasAccess]).toEqual(charges === 2 ? [2, true] : [1, false]);
      const [purchase] = (await student.call(listUserPurchases)).body;
      expect(purchase).toMatchObject({ subscriptionStatus: "cancelled", nextBillingDate: null });
    }
    const before = (await academy.ledger()).length;
    await academy.advance("31d");
    const others = (await academy.ledger()).slice(before).map((row) => row.customerProfileId);
    for (const student of students) {
      await student.signInAgain();
      expect((await student.call(getCourseAccess)).body.hasAccess).toBe(false);
      const { rows } = await pool.query(
        "select m.customer_profile_id as id from payment_methods m join users u on u.id = m.user_id where u.email = $1",
        [student.email],
      );
      expect(others).not.toContain(rows[0].id);
    }
  } finally {
    await pool.end();
  }
});
