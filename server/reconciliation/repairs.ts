import { recordAudit } from "#server/audit/audit.ts";
import { after, MINUTE } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import { claimDiscrepancy, releaseDiscrepancy, resolveDiscrepancy } from "#server/discrepancies/discrepancies.ts";
import { GatewayUnavailable } from "#server/gateway/gateway.ts";
import type { PaymentContext } from "#server/payments/handlers.ts";
import { gatewayAway } from "#server/refunds/refunds.ts";
import type { RepairRequest } from "./discrepancy-kind.ts";
import { kinds } from "./kinds.ts";

/** After this a claim was left by a node that died. */
const claimTime = 2 * MINUTE;

/** @throws Refusal not-found, also during another repair; invalid-input, conflict, payment-unavailable. */
export async function repair(ctx: PaymentContext, request: RepairRequest): Promise<void> {
  const now = ctx.clock.now();
  const row = await claimDiscrepancy(ctx.db, request.discrepancyId, now, after(now, -claimTime));
  if (!row)
    throw new Refusal("not-found", "This difference has been repaired already, or someone is repairing it now.");
  try {
    const { actions } = kinds[row.kind];
    const chosen = request.action ? actions.find(({ action }) => action === request.action) : actions[0];
    if (!chosen) throw new Refusal("invalid-input", "This action can’t repair this difference.");
    const resolution = await chosen.repair(ctx, row, request);
    await ctx.db.transaction(async (tx) => {
      const resolvedAt = ctx.clock.now();
      if (resolution !== null) await resolveDiscrepancy(tx, row.id, resolution, request.actor, resolvedAt);
      const { actor, reason } = request;
      const { id: subject, kind } = row;
      const change = { before: row, after: { action: chosen.action } };
      await recordAudit(tx, { actor, action: `repair ${kind}`, subject, ...change, reason }, resolvedAt);
    });
    if (resolution === null) throw new Refusal("payment-unavailable", outstanding);
  } catch (error) {
    await releaseDiscrepancy(ctx.db, row.id);
    if (error instanceof GatewayUnavailable) {
      throw gatewayAway();
    }
    throw error;
  }
}

const outstanding =
  "The refund was sent, and the gateway has not said yet what became of it. This stays open until it is known.";
