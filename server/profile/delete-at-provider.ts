import { z } from "zod";
import { after, HOUR } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { ProviderUnavailable } from "#server/openid/openid.ts";

/** Who a deleted person was at their OpenID provider. */
const Identity = z.object({ issuer: z.string(), subject: z.string() });
type Identity = z.infer<typeof Identity>;

export const deleteAtProviderJob = defineJob("delete-at-provider", Identity);

/** Has the person's account at the provider deleted, in the transaction that erases them here. */
export async function scheduleDeletionAtProvider(db: Db, identity: Identity, runAt: Date, now: Date): Promise<void> {
  const { issuer, subject } = identity;
  const key = `${issuer} ${subject} ${runAt.getTime()}`;
  await scheduleJob(db, deleteAtProviderJob, { data: { issuer, subject }, key, runAt, now });
}

/** The job behind it. It comes back every hour until the provider has answered: giving up would leave the person there. */
export async function deleteAtProvider(ctx: Context, identity: Identity): Promise<void> {
  try {
    await ctx.openId.deleteAccount(identity);
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    ctx.log.warn({ reason: error.message }, "the provider did not delete an account, and will be asked again");
    const now = ctx.clock.now();
    await scheduleDeletionAtProvider(ctx.db, identity, after(now, HOUR), now);
  }
}
