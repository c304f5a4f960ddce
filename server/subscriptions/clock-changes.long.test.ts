import { expect, test } from "vitest";
import { openAcademy } from "#test/academy.ts";

const DAY = 86_400_000;
/** Has daylight saving time. */
const timeZone = "America/New_York";

/** Days around the first renewal, then months: four years. `rules.test.ts` has the rule. */
const steps = [28, 2, ...Array(50).fill(30)] as number[];

/** The number of days until the clocks change. */
function daysToChange(now: number): number {
  const format = new Intl.DateTimeFormat("en", { timeZone, hour: "numeric" });
  let days = 1;
  while (format.format(now + days * DAY) === format.format(now)) days += 1;
  return days;
}

test("across changes of the clocks every period is 30 days to the second, and charged once [P25]", async () => {
  await using academy = await openAcademy({ TZ: timeZone, PGTZ: timeZone });
  // The clocks change in the first period, in its middle if possible.
  await academy.advance(`${Math.max(0, daysToChange(await academy.now()) - 15)}d`);
  const student = await academy.buyer("basic");
  const purchaseId = (await student.purchase())?.id;
  const read = `select current_period_end as paid_until, next_charge_at as next_billing_date, completed_at
    from subscriptions join purchases on purchases.id = purchase_id where purchase_id = $1`;
  const subscription = async () => (await academy.pool.query(read, [purchaseId])).rows[0];
  const began: number = (await subscription()).completed_at.getTime();

  let days = 0;
  for (const step of steps) {
    // No step is longer than a period, so everything due is charged on its day.
    await academy.advance(`${step}d`);
    days += step;
    const periods = Math.floor(days / 30) + 1;
    const { paid_until, next_billing_date } = await subscription();
    expect((paid_until - began) / DAY, `after ${days} days`).toBe(periods * 30);
    expect(next_billing_date).toEqual(paid_until);
  }

  const { rows: grants } = await academy.pool.query(
    "select starts_at, ends_at from grants where purchase_id = $1 and source in ('purchase', 'renewal') order by starts_at",
    [purchaseId],
  );
  expect(grants).toHaveLength(Math.floor(days / 30) + 1);
  for (const [number, grant] of grants.entries()) {
    expect((grant.starts_at - began) / DAY).toBe(number * 30);
    expect((grant.ends_at - grant.starts_at) / DAY).toBe(30);
  }
  const charged = "select count(*)::int as count from payment_attempts where purchase_id = $1 and state = 'approved'";
  expect((await academy.pool.query(charged, [purchaseId])).rows).toEqual([{ count: grants.length }]);
});
