import { expect, test } from "vitest";
import { changeSequences } from "#contract/admin/sequences.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { createQuote } from "#contract/purchases/quotes.ts";
import { forFile } from "#test/fixtures.ts";
import { whileLocked } from "#test/locks.ts";
import { liveAtNoon } from "#test/sequence-people.ts";
import { openTwoNodesInProcess } from "#test/two-nodes.ts";
import type { Visitor } from "#test/visitor.ts";

/** Purchases. `races.long.test.ts` races 1,000. */
const races = Number(process.env.SEQUENCE_RACES ?? 8);
const atOnce = 25;

const { nodes, pool } = await forFile(openTwoNodesInProcess());
const [academy, second] = nodes;
const administrator = await academy.visitor().signInAsDemo("admin@academy.test");

/** Students with a quote for which the first email is due at the next full hour, some minutes ahead. */
async function undecided(count: number): Promise<Visitor[]> {
  const past = new Date(await academy.now()).getUTCMinutes();
  await academy.advance(`${(50 - past + 60) % 60 || 60}m`, administrator);
  const body = { on: ["unfinished-checkout"], controlPercent: 0 };
  expect((await administrator.call(changeSequences, { body })).status).toBe(200);
  const students = await Promise.all(Array.from({ length: count }, () => academy.visitor().signUp()));
  for (const student of students) await liveAtNoon(academy, student);
  const quote = { tier: "premium", priceId: "premium_annual" };
  for (const student of students) expect((await student.call(createQuote, { body: quote })).status).toBe(200);
  await academy.advance(`${24 * 60 - 1}m`, administrator);
  return students;
}

const subjects = async ({ email }: Visitor) => (await academy.mails(email)).map(({ subject }) => subject);
const checkout = "Your checkout for Annual Access";

test("an email about a checkout waits for a payment that is being recorded, and is not sent then [N15]", async () => {
  const [buyer, other] = await undecided(2);
  if (!buyer || !other) throw new Error("there are no students");
  let moved: Promise<unknown> = Promise.resolve();
  // As a payment does first.
  await whileLocked(pool, "select from users where email = $1 for update", [buyer.email], async (payment) => {
    moved = academy.advance("30m");
    await payment.waiting(1);
    await payment.query(
      `insert into purchases (id, user_id, plan_id, tier, amount, coaching, status, created_at)
       select 'raced', u.id, p.id, p.tier, p.price, p.coaching, 'pending', now() from users u, plans p
       where u.email = $1 and p.id = 'premium_annual'`,
      [buyer.email],
    );
  });
  await moved;
  await expect.poll(() => subjects(other)).toEqual([checkout]);
  await academy.advance("1h", administrator);
  expect(await subjects(buyer)).toEqual([]);
});

test(`${races} purchases on two nodes race the email about their checkout: no buyer gets it [N15]`, async () => {
  let bought = 0;
  let emailed = 0;
  for (let done = 0; done < races; done += atOnce) {
    const students = await undecided(Math.min(atOnce, races - done));
    const payments = await Promise.all(students.map((student) => student.paymentFor("premium")));
    const [, ...answers] = await Promise.all([
      academy.advance("12m"),
      ...students.map((student, n) =>
        (n % 2 ? student.at(second) : student).call(acceptPayment, {
          body: payments[n],
          headers: { origin: academy.url },
        }),
      ),
    ]);
    for (const { status } of answers) expect([200, 202, 503]).toContain(status);
    await academy.advance("2h", administrator);
    for (const student of students) {
      const { rows } = await pool.query(
        `select (select min(a.sent_at) from payment_attempts a where a.user_id = u.id) as paid_at,
           (select min(s.sent_at) from sent_emails s where s.user_id = u.id and s.kind = 'unfinished-checkout') as mailed_at
         from users u where u.email = $1`,
        [student.email],
      );
      const { paid_at: paidAt, mailed_at: mailedAt } = rows[0];
      bought += paidAt ? 1 : 0;
      emailed += mailedAt ? 1 : 0;
      const got = (await subjects(student)).filter((subject) => subject === checkout);
      expect(got).toHaveLength(mailedAt ? 1 : 0);
      if (paidAt && mailedAt) expect(mailedAt.getTime()).toBeLessThanOrEqual(paidAt.getTime());
    }
  }
  expect(bought).toBeGreaterThan(races / 2);
  // Most payments are faster than the run. The first test shows that those without a payment get the email.
  expect(emailed).toBeLessThan(races);
}, 7_200_000);
