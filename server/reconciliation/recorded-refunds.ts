import type { Context } from "#server/context/context.ts";
import type { GatewayTransaction } from "#server/gateway/gateway.ts";
import { findRecordedRefund, noteRefundNumber, reverseRefund } from "#server/refunds/corrections.ts";
import { noSuchRefund, refundAgain } from "#server/refunds/refunds.ts";
import type { Action } from "./discrepancy-kind.ts";

async function getRecordedRefund(ctx: Context, id: string | null) {
  const booked = id ? await findRecordedRefund(ctx.db, id) : null;
  if (!booked) throw noSuchRefund();
  return booked;
}

export const payBackAction: Action = {
  action: "pay-back",
  label: "Refund again",
  effect: "We refund the same amount to the card again. Access doesn’t change.",
  repair: async (ctx, { subjectId }, { actor }) => {
    const recorded = await getRecordedRefund(ctx, subjectId);
    if (await adoptMadeRefund(ctx, recorded)) return foundAfterAll;
    const state = await refundAgain(ctx, { ...recorded, actor });
    return state === "returned" ? "Refunded again" : "Sent again. The gateway hasn’t confirmed it yet";
  },
};

/** @param mayExist whether the refund may be at the gateway under another number */
export function takeBackAction(why: string, { mayExist = false } = {}): Action {
  return {
    action: "take-back",
    label: "Keep the payment and restore access",
    effect:
      "The payment counts as revenue again, and the student gets the access back until the end of the paid period.",
    repair: async (ctx, { subjectId }) => {
      const recorded = await getRecordedRefund(ctx, subjectId);
      if (mayExist && (await adoptMadeRefund(ctx, recorded))) return foundAfterAll;
      const { id, endsAccess } = recorded.refund;
      await reverseRefund(ctx, id, { opens: true, why });
      return endsAccess ? "The payment counts again, and access is restored" : "The payment counts again";
    },
  };
}

const foundAfterAll = "The gateway has it after all";

/** Searches by our invoice number, because lists can lag and recorded ids be wrong. False: it was never made. */
async function adoptMadeRefund(
  ctx: Context,
  { refund, charge }: NonNullable<Awaited<ReturnType<typeof findRecordedRefund>>>,
): Promise<boolean> {
  if (refund.kind === "void") return false;
  const { reference, sentAt: since, amount: amountCents } = refund;
  const now = ctx.clock.now();
  const invoiceNumbers = [refund.invoiceNumber ?? refund.id];
  const refersTo = charge.transactionId;
  const listed = await ctx.gateway.listUnder({ invoiceNumbers, amountCents, refersTo, since, now, freshSince: now });
  const isOurs = (found: GatewayTransaction) => found.reference === null || found.reference === reference;
  const made = listed.find((found) => found.state === "refund" && found.amountCents === amountCents && isOurs(found));
  if (!made) return false;
  await noteRefundNumber(ctx.db, refund.id, made.transactionId);
  return true;
}
