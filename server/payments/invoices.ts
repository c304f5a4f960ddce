import { idFor } from "#server/db/id.ts";

/** More declines of one period would exceed the tries that card networks allow. */
const maxInvoices = 60;

/** The same for a period until a charge of it was declined, so that the gateway recognizes a duplicate. */
export function invoiceOf(purchaseId: string, renewsFrom: Date | null, declines: number): string {
  return idFor(purchaseId, renewsFrom?.toISOString() ?? "", String(declines));
}

/** Also those that were used after a restored backup was made. */
export function invoicesOfPeriod(purchaseId: string, renewsFrom: Date): string[] {
  return Array.from({ length: maxInvoices }, (_, declines) => invoiceOf(purchaseId, renewsFrom, declines));
}
