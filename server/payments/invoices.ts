import { idFor } from "#server/db/id.ts";

/** More declines of one period would need more tries than the card networks allow. */
const maxInvoices = 60;

/** Equal for a period until a charge of it was declined, so that the gateway recognises a charge sent twice. */
export function invoiceOf(purchaseId: string, renewsFrom: Date | null, declines: number): string {
  return idFor(purchaseId, renewsFrom?.toISOString() ?? "", String(declines));
}

/** Also those of days that a restored backup does not know. */
export function invoicesOfPeriod(purchaseId: string, renewsFrom: Date): string[] {
  return Array.from({ length: maxInvoices }, (_, declines) => invoiceOf(purchaseId, renewsFrom, declines));
}
