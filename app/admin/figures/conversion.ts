import type { SignUps } from "#contract/admin/figures.ts";

const leastDays = 7;
const leastSignUps = 10;

/**
 * The share in percent of those who paid, at each period. A point covers at least 7 days and 10 sign-ups up to its
 * period, because the share among two people jumps between 0 % and 100 %.
 * @param earlier the periods before, which only the first points need
 */
export function conversionOf({ by, periods }: SignUps, earlier: SignUps["periods"]): number[] {
  const all = [...earlier, ...periods];
  const leastPeriods = by === "day" ? leastDays : 1;
  return periods.map((_, index) => {
    const end = earlier.length + index;
    let [signUps, paid] = [0, 0];
    for (let at = end; at >= 0 && (end - at < leastPeriods || signUps < leastSignUps); at--) {
      signUps += all[at]?.signUps ?? 0;
      paid += all[at]?.paid ?? 0;
    }
    return signUps === 0 ? 0 : (paid / signUps) * 100;
  });
}
