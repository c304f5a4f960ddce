import { idFor } from "#server/db/id.ts";

/** Declines of one period beyond these would have needed more tries than the card networks allow. */
const mostInvoices = 60;

/**
 * The invoice of a renewal, equal for each period until a charge of it was declined: what is sent twice by mistake, or
 * after an answer that was lost, the gateway then knows for a duplicate.
 */
export function invoiceOf(purchaseId: string, renewsFrom: Date | null, declines: number): string {
  return idFor(purchaseId, renewsFrom?.toISOString() ?? "", String(declines));
}

/** Every invoice under which a period may have been charged, also in days that a restored backup does not know. */
export function invoicesOfPeriod(purchaseId: string, renewsFrom: Date): string[] {
  return Array.from({ length: mostInvoices }, (_, declines) => invoiceOf(purchaseId, renewsFrom, declines));
}
