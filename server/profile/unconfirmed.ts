import { listGrantsOf } from "#server/access/access.ts";
import { after, DAY } from "#server/base/clock.ts";
import { isCoach } from "#server/coaching/overview.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { deleteUserRow, listUnconfirmed } from "#server/identity/users.ts";
import { listPurchasesOfUser } from "#server/purchases/purchases.ts";
import { deleteAccount } from "./delete-account.ts";

const keptFor = 30 * DAY;
/** The next hourly run deletes more. */
const perRun = 1000;

/** Deletes accounts that never confirmed their address, own nothing, and were not signed in to for 30 days. */
export async function deleteUnconfirmed(ctx: Context): Promise<void> {
  for (const user of await listUnconfirmed(ctx.db, after(ctx.clock.now(), -keptFor), perRun)) {
    if (await ownsSomething(ctx.db, user.id)) continue;
    await deleteAccount(ctx, user, (tx) => deleteUserRow(tx, user.id), { isMailed: false });
  }
}

async function ownsSomething(db: Db, userId: string): Promise<boolean> {
  const owned = [...(await listPurchasesOfUser(db, userId)), ...(await listGrantsOf(db, userId))];
  return owned.length > 0 || isCoach(db, userId);
}
