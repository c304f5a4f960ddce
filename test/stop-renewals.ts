import type { RunningAcademy } from "./academy.ts";

/** Ends all subscriptions, so that later months of a file charge only what their own tests bought. */
export async function stopRenewals({ pool }: Pick<RunningAcademy, "pool">): Promise<void> {
  await pool.query(
    `update subscriptions set status = 'cancelled', next_charge_at = null, cancelled_at = coalesce(cancelled_at, now())
      where status <> 'cancelled'`,
  );
}

/** The same, and has no later week of the file compare these charges and refunds again with the gateway's. */
export async function leaveBehind(academy: Pick<RunningAcademy, "pool">): Promise<void> {
  await stopRenewals(academy);
  for (const table of ["payment_attempts", "refunds"]) {
    await academy.pool.query(`update ${table} set checked_at = '2999-01-01'`);
  }
}
