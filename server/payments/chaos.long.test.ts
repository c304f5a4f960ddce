import { expect, test } from "vitest";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { OUTCOME_NAMES } from "#sandbox/gateway/outcomes.ts";
import type { Academy } from "#test/academy.ts";
import { forFile } from "#test/fixtures.ts";
import { openTwoNodes } from "#test/two-nodes.ts";
import { until } from "#test/until.ts";

/** The number of students for each outcome, and of kills. `faults.integration.test.ts` kills once. */
const rounds = Number(process.env.CHAOS_ROUNDS ?? 20);
const outcomes = [...OUTCOME_NAMES.filter((name) => name !== "partial"), "slow:150"];

const { nodes, pool } = await forFile(openTwoNodes(true));

const countAttempts = async (): Promise<number> =>
  (await pool.query("select count(*)::int as count from payment_attempts")).rows[0].count;

test("after kills between attempt and outcome the ledger of the gateway and the purchases agree [P07 P08 P12]", async () => {
  const [first] = nodes;
  for (let kill = 0; kill < rounds; kill++) {
    const node = nodes[kill % 2] as Academy;
    const buyers = await Promise.all(
      outcomes.map(async (outcome) => {
        const buyer = await first.visitor().signUp();
        await first.nextChargesOf(buyer, outcome);
        return { buyer, body: await buyer.paymentFor("basic") };
      }),
    );
    const before = await countAttempts();
    const answers = buyers.flatMap(({ buyer, body }) => {
      const there = buyer.at(node);
      const pay = () => there.call(acceptPayment, { body, headers: { origin: first.url } }).catch(() => null);
      return [pay(), pay()];
    });
    await until(async () => (await countAttempts()) > before + (kill % outcomes.length));
    // No wait for a condition: this varies the instant when the node dies.
    await new Promise((resolve) => setTimeout(resolve, (kill * 37) % 120));
    await node.kill();
    await Promise.all(answers);
    await node.start();
    // One client may try thirty cards in an hour that are not approved.
    if (kill % 3 === 2) await first.advance("61m");
  }
  // The resolver's polls, then the half hour after which a missing charge counts as not made.
  for (const duration of ["1m", "6m", "16m", "31m", "1h"]) await first.advance(duration);
  // A node that has just started may still be finishing the work of the killed one.
  const open = "select state from payment_attempts where state in ('sent', 'unknown')";
  await until(async () => (await pool.query(open)).rowCount === 0, 600);

  const ledger = (await first.ledger()).filter((row) => row.responseCode === "1");
  const { rows: purchases } = await pool.query<{
    id: string;
    status: string;
    transaction_id: string | null;
    amount: string;
  }>("select id, status, transaction_id, amount from purchases");
  for (const purchase of purchases) {
    const charges = ledger.filter((row) => row.invoiceNumber === purchase.id);
    expect(charges.length, `${purchase.id} is ${purchase.status}`).toBe(purchase.status === "completed" ? 1 : 0);
    if (charges[0]) {
      expect(charges[0].transId).toBe(purchase.transaction_id);
      expect(Number(charges[0].amount)).toBe(Number(purchase.amount));
    }
  }
  const known = new Set(purchases.map((purchase) => purchase.id));
  expect(ledger.filter((row) => !known.has(row.invoiceNumber))).toEqual([]);
}, 7_200_000);
