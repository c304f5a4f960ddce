import { afterAll, beforeAll, expect, test } from "vitest";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import type { Academy } from "#test/academy.ts";
import { makeCoupon } from "#test/coupons.ts";
import { openTwoNodes, type TwoNodes } from "#test/two-nodes.ts";
import { until } from "#test/until.ts";

/** Buyers of a coupon with a tenth as many uses; `crowd.long.test.ts` sends 500. */
const buyers = Number(process.env.COUPON_BUYERS ?? 30);
const uses = buyers / 10;
const atOnce = 50;

let opened: TwoNodes;
let nodes: TwoNodes["nodes"];
let pool: TwoNodes["pool"];
beforeAll(async () => {
  opened = await openTwoNodes();
  ({ nodes, pool } = opened);
});
afterAll(() => opened?.[Symbol.asyncDispose]());

const count = async (statement: string): Promise<number> => (await pool.query(statement)).rows[0].count;

test(`${buyers} buyers of a coupon with ${uses} uses, a third declined, on two nodes that are killed meanwhile, use it ${uses} times at most, and nothing stays reserved [P43]`, async () => {
  const [first] = nodes;
  const administrator = await first.visitor().signInAsDemo("admin@academy.test");
  const code = await makeCoupon(administrator, "THE-LAST-ONES", await first.now(), { maxUses: uses });
  for (let done = 0, crowd = 0; done < buyers; done += atOnce, crowd++) {
    const ready = await Promise.all(
      Array.from({ length: Math.min(atOnce, buyers - done) }, async (_, at) => {
        const buyer = await first.visitor().signUp();
        const declined = at % 3 === 0 ? { zip: "46282" } : {};
        // Once all uses are taken nobody is shown a total with it.
        const body = await buyer.quotedPaymentFor("premium", declined, code).catch(() => null);
        return { buyer, body };
      }),
    );
    const before = await count("select count(*)::int as count from payment_attempts");
    const answers = ready.flatMap(({ buyer, body }, at) => {
      if (!body) return [];
      const there = (nodes[at % 2] as Academy).visitor();
      for (const [name, cookie] of buyer.cookies) there.cookies.set(name, cookie);
      return [there.call(acceptPayment, { body, headers: { origin: first.url } }).catch(() => null)];
    });
    if (answers.length > 0) {
      await until(async () => (await count("select count(*)::int as count from payment_attempts")) > before);
      const node = nodes[crowd % 2] as Academy;
      await node.kill();
      await Promise.all(answers);
      await node.start();
    }
  }
  // The resolver's polls; then the half hour after which a charge that is not there was not made.
  for (const duration of ["1m", "6m", "16m", "31m", "1h"]) await first.advance(duration);
  const open = "select count(*)::int as count from payment_attempts where state in ('sent', 'unknown')";
  await until(async () => (await count(open)) === 0, 600);

  const { rows } = await pool.query(`
    select coupons.uses, (count(*) filter (where state = 'used'))::int as used,
      (count(*) filter (where state = 'reserved'))::int as reserved
    from coupons left join coupon_uses on coupon_code = code where code = '${code}' group by coupons.uses`);
  expect(rows[0].reserved).toBe(0);
  expect(rows[0].used).toBe(rows[0].uses);
  expect(rows[0].used).toBeGreaterThan(0);
  expect(rows[0].used).toBeLessThanOrEqual(uses);
  const ledger = (await first.ledger()).filter((row) => row.responseCode === "1");
  const { rows: bought } = await pool.query<{ id: string; status: string }>(
    "select id, status from purchases where coupon_code is not null",
  );
  const charged = bought.filter(({ id }) => ledger.some(({ invoiceNumber }) => invoiceNumber === id));
  expect(charged).toHaveLength(rows[0].used);
  expect(new Set(charged.map(({ status }) => status))).toEqual(new Set(["completed"]));
}, 7_200_000);
