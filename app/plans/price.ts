import { centsOf, formatMoney } from "#contract/money.ts";
import type { Tier } from "#contract/tiers.ts";

/** 397 → "$397", as on a price tag; an amount with parts of a cent is written out. */
export function formatPrice(dollars: number): string {
  const cents = centsOf(dollars);
  return cents === null ? `$${dollars}` : formatMoney(cents);
}

/** How a plan is paid, to stand beside its price. */
export const billingNotes: Readonly<Record<Tier, string>> = {
  basic: "renews every 30 days until you cancel",
  premium: "one-time payment for 365 days, no renewal",
  vip: "one-time payment, no end date",
};
