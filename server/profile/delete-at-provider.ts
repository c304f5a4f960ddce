import { z } from "zod";
import { after, HOUR } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { ProviderUnavailable } from "#server/openid/openid.ts";

const Identity = z.object({ issuer: z.string(), subject: z.string() });
type Identity = z.infer<typeof Identity>;

export const deleteAtProviderJob = defineJob("delete-at-provider", Identity);

export async function scheduleDeletionAtProvider(db: Db, identity: Identity, runAt: Date, now: Date): Promise<void> {
  const { issuer, subject } = identity;
  const key = `${issuer} ${subject} ${runAt.getTime()}`;
  await scheduleJob(db, deleteAtProviderJob, { data: { issuer, subject }, key, runAt, now });
}

/** Retries every hour for ever: giving up would leave the account at the provider. */
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
