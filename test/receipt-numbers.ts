import { expect } from "vitest";

interface Database {
  query(text: string): Promise<{ rows: unknown[] }>;
}

/** Exactly the approved charges have a number, and each year's run from 1 to its counter. */
export async function expectReceiptNumbersWithoutGaps(pool: Database): Promise<void> {
  const wrong = await pool.query(
    "select id, state, receipt_number from payment_attempts where (state = 'approved') <> (receipt_number is not null)",
  );
  expect(wrong.rows).toEqual([]);
  const { rows } = await pool.query(`
    select year, last, count(*)::int as given, max(right(receipt_number, 4)::int) as highest
    from receipt_counters join payment_attempts on receipt_number like '%' || year || '-____' group by year`);
  expect(rows.length).toBeGreaterThan(0);
  for (const { last, given, highest } of rows as { last: number; given: number; highest: number }[]) {
    expect([given, highest]).toEqual([last, last]);
  }
}
