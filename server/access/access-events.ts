import { z } from "zod";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { isAwaited, recordEvent } from "#server/deliveries/events.ts";
import { userById } from "#server/identity/users.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { accessOf } from "./access.ts";

export const announceAccessJob = defineJob("announce-access", z.object({ userId: z.string() }));

/**
 * After the transaction, which may change more of it: receivers get the outcome alone. The key has the transaction's
 * instant, because a job that runs already does not see what another transaction changes.
 */
export async function announceAccess(tx: Db, userId: string, now: Date): Promise<void> {
  if (!(await isAwaited(tx, "access.changed"))) return;
  await scheduleJob(tx, announceAccessJob, {
    data: { userId },
    key: `${userId}:${now.toISOString()}`,
    runAt: now,
    now,
  });
}

export async function announceAccessNow(
  { db, clock }: Context,
  { userId }: { readonly userId: string },
): Promise<void> {
  await db.transaction((tx) => recordAccessEvent(tx, userId, clock.now()));
}

export async function recordAccessEvent(tx: Db, userId: string, now: Date): Promise<void> {
  if (!(await isAwaited(tx, "access.changed"))) return;
  const { tier, until, source } = await accessOf(tx, userId, now);
  const { accountStatus } = await userById(tx, userId);
  const facts = { tier, until: until?.toISOString() ?? null, why: source ?? "ended", account: accountStatus };
  await recordEvent(tx, "access.changed", { id: userId, userId, ...facts }, now);
}
