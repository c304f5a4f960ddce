import { listGrants } from "#server/access/access.ts";
import { after, DAY } from "#server/base/clock.ts";
import { isCoach } from "#server/coaching/overview.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { listIdentitiesOf, listUnconfirmed, type User } from "#server/identity/users.ts";
import { listPurchasesOfUser } from "#server/purchases/purchases.ts";
import { deleteAccount } from "./delete-account.ts";

const keptFor = 30 * DAY;
/** The next hourly run deletes more. */
const perRun = 1000;

/** Deletes accounts that never confirmed their address, own nothing, and were not signed in to for 30 days. */
export async function deleteUnconfirmed(ctx: Context): Promise<void> {
  for (const user of await listUnconfirmed(ctx.db, after(ctx.clock.now(), -keptFor), perRun)) {
    // One that fails must not keep the others.
    await deleteOne(ctx, user).catch((error: unknown) =>
      ctx.log.warn({ err: error, userId: user.id }, "an unconfirmed account was not deleted"),
    );
  }
}

async function deleteOne(ctx: Context, user: User): Promise<void> {
  if (await ownsSomething(ctx.db, user.id)) return;
  for (const identity of await listIdentitiesOf(ctx.db, user.id)) {
    // The academy learns of a confirmation at the next sign-in, so the provider decides.
    if (!(await ctx.openId.deleteUnconfirmed(identity))) return;
  }
  await deleteAccount(ctx, user, { removesRow: true });
}

async function ownsSomething(db: Db, userId: string): Promise<boolean> {
  const owned = [...(await listPurchasesOfUser(db, userId)), ...(await listGrants(db, userId))];
  return owned.length > 0 || isCoach(db, userId);
}
