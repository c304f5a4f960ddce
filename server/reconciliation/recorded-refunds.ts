import type { DiscrepancyKind } from "#contract/admin/reconciliation.ts";
import type { Context } from "#server/context/context.ts";
import type { DiscrepancyRow } from "#server/discrepancies/discrepancies.ts";
import type { GatewayTransaction } from "#server/gateway/gateway.ts";
import { findRecordedRefund, noteRefundNumber, reverseRefund } from "#server/refunds/corrections.ts";
import { noSuchRefund, refundAgain } from "#server/refunds/refunds.ts";

async function getRecordedRefund(ctx: Context, id: string | null) {
  const booked = id ? await findRecordedRefund(ctx.db, id) : null;
  if (!booked) throw noSuchRefund();
  return booked;
}

/** Looks for the refund at the gateway first, then sends it again. */
export async function payBack(
  ctx: Context,
  { subjectId }: DiscrepancyRow,
  { actor }: { readonly actor: string },
): Promise<string> {
  const recorded = await getRecordedRefund(ctx, subjectId);
  const made = await findMadeRefund(ctx, recorded);
  if (made) {
    await noteRefundNumber(ctx.db, recorded.refund.id, made);
    return "Found at the gateway after all";
  }
  const state = await refundAgain(ctx, { ...recorded, actor });
  return state === "returned" ? "Paid back again" : "Sent again; the gateway has not said yet what became of it";
}

export async function takeBack(ctx: Context, { subjectId, kind }: DiscrepancyRow): Promise<string> {
  const recorded = await getRecordedRefund(ctx, subjectId);
  const made = kind === "refund-missing" ? await findMadeRefund(ctx, recorded) : null;
  if (made) {
    await noteRefundNumber(ctx.db, recorded.refund.id, made);
    return "Found at the gateway after all";
  }
  await reverseRefund(ctx, recorded.refund.id, { opens: true, why: takeBackWords[kind] ?? "the money is ours" });
  return recorded.refund.endsAccess ? "The payment counts again and the access is open" : "The payment counts again";
}

const takeBackWords: Readonly<Partial<Record<DiscrepancyKind, string>>> = {
  "refund-failed": "the refund failed at the gateway",
  "refund-missing": "the gateway has no such refund",
  "void-settled": "the charge settled all the same",
  "dispute-won": "the dispute was won",
};

/** Searches by our invoice number, because lists can lag and recorded ids be wrong. */
async function findMadeRefund(
  ctx: Context,
  { refund, charge }: NonNullable<Awaited<ReturnType<typeof findRecordedRefund>>>,
): Promise<string | null> {
  if (refund.kind === "void") return null;
  const { reference, sentAt: since, amount: amountCents } = refund;
  const now = ctx.clock.now();
  const invoiceNumbers = [refund.invoiceNumber ?? refund.id];
  const refersTo = charge.transactionId;
  const listed = await ctx.gateway.listUnder({ invoiceNumbers, amountCents, refersTo, since, now, freshSince: now });
  const isOurs = (found: GatewayTransaction) => found.reference === null || found.reference === reference;
  const made = listed.find((found) => found.state === "refund" && found.amountCents === amountCents && isOurs(found));
  return made?.transactionId ?? null;
}
