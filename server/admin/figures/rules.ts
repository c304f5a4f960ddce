import type { KeptMonth, ValueFigures } from "#contract/admin/figures.ts";
import { sum } from "#server/admin/statistics/periods.ts";

/** The number of students who paid for `paid` periods and whose first payment was `elapsed` whole periods ago. */
export interface PaidPeriods {
  readonly paid: number;
  readonly elapsed: number;
  readonly students: number;
}

/**
 * Entry `n` counts students who paid for more than `n` periods, among those who began at least `n` whole periods ago.
 */
export function keptOf(counts: readonly PaidPeriods[]): KeptMonth[] {
  const longest = Math.max(0, ...counts.map(({ elapsed }) => elapsed));
  return Array.from({ length: longest + 1 }, (_, period) => {
    const there = counts.filter(({ elapsed }) => elapsed >= period);
    const stayed = there.filter(({ paid }) => paid > period);
    return { students: sum(stayed, "students"), of: sum(there, "students") };
  });
}

export interface Brought {
  readonly students: number;
  /** Cents, like `refunded`. */
  readonly charged: number;
  readonly refunded: number;
}

export function lifetimeValueOf(rows: readonly Brought[]): ValueFigures {
  const [students, chargedCents, refundedCents] = [sum(rows, "students"), sum(rows, "charged"), sum(rows, "refunded")];
  const netCents = chargedCents - refundedCents;
  const valueCents = students === 0 ? 0 : Math.round(netCents / students);
  return { students, chargedCents, refundedCents, netCents, valueCents };
}
