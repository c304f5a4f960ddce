/** Cents. The smallest charge, whatever the discount. */
export const minChargeCents = 100;

/** 4900 → "$49", 149700 → "$1497", 144806 → "$1,448.06", as on a price tag. `cents` is an integer of US cents, 0 or more. */
export function formatMoney(cents: number): string {
  return cents % 100 === 0 ? `$${cents / 100}` : formatCents(cents);
}

/** 397 → "$397", as on a price tag; keeps fractions of a cent. `dollars` as plans have them. */
export function formatPrice(dollars: number): string {
  const cents = centsOf(dollars);
  return cents === null ? `$${dollars}` : formatMoney(cents);
}

/** 1000.4 → "$1,000", rounded for overviews. */
export function formatWholeDollars(dollars: number): string {
  return dollars.toLocaleString("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });
}

// Making one for each amount would take most of the time of the demo's year. Pure: not in pages that don't use it.
const receiptFormat = /* @__PURE__ */ new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** "1497.00" or 1497 → "$1,497.00", as on a receipt. `dollars` as replies have them. */
export function formatDollars(dollars: string | number): string {
  return receiptFormat.format(Number(dollars));
}

/** 149700 → "$1,497.00", as on a receipt. `cents` is an integer of US cents. */
export function formatCents(cents: number): string {
  return formatDollars(dollarsOf(cents));
}

/** 49 → 4900. Null for fractions of a cent, negative and non-finite amounts, which equal no price. */
export function centsOf(amount: number): number | null {
  const cents = Math.round(amount * 100);
  return Number.isSafeInteger(cents) && cents >= 0 && cents / 100 === amount ? cents : null;
}

/** 4900 → 49, the form of plans and figures in replies. `cents` is an integer of US cents. */
export function dollarsOf(cents: number): number {
  return cents / 100;
}

/** 4900 → "49.00", the form of amounts in replies. `cents` is an integer of US cents. */
export function decimalAmount(cents: number): string {
  return (cents / 100).toFixed(2);
}
