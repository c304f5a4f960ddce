const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const wholeDollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });

/** 4900 → "$49", 4950 → "$49.50". `cents` is an integer of US cents. */
export function formatMoney(cents: number): string {
  return cents % 100 === 0 ? wholeDollars.format(cents / 100) : dollars.format(cents / 100);
}

/** 49 → 4900. Null when the amount has parts of a cent, is negative or is not finite: such an amount equals no price. */
export function centsOf(amount: number): number | null {
  const cents = Math.round(amount * 100);
  return Number.isSafeInteger(cents) && cents >= 0 && cents / 100 === amount ? cents : null;
}

/** 4900 → "49.00", as amounts travel in answers. `cents` is an integer of US cents. */
export function decimalAmount(cents: number): string {
  return (cents / 100).toFixed(2);
}
