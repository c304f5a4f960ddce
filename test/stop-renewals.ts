import type { RunningAcademy } from "./academy.ts";

/** Ends all subscriptions, so that later months of a file charge only what their own tests bought. */
export async function stopRenewals({ pool }: Pick<RunningAcademy, "pool">): Promise<void> {
  await pool.query(
    `update subscriptions set status = 'cancelled', next_charge_at = null, cancelled_at = coalesce(cancelled_at, now())
      where status <> 'cancelled'`,
  );
}
