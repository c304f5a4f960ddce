import { sql } from "drizzle-orm";
import type { Context } from "#server/context/context.ts";
import { addHashesToUses } from "#server/coupons/coupons.ts";
import type { Db } from "#server/db/db.ts";
import { listWithoutHash } from "./queries.ts";
import { purchases } from "./tables.ts";

/** The next hourly run adds more. */
const perRun = 1000;

/** Adds the hashes of confirmed addresses, by student, to their purchases and coupon uses without one. */
export async function addHashes(tx: Db, byUserId: Readonly<Record<string, string>>): Promise<void> {
  await tx.execute(sql`
    update ${purchases} as purchase set address_hash = added.hash
    from json_each_text(${JSON.stringify(byUserId)}::json) as added (user_id, hash)
    where purchase.user_id = added.user_id and purchase.address_hash is null`);
  await addHashesToUses(tx, byUserId);
}

/** For purchases of students who confirmed their address afterwards. */
export async function addMissingHashes(ctx: Context): Promise<void> {
  const found = await listWithoutHash(ctx.db, perRun);
  if (found.length === 0) return;
  const hashes = Object.fromEntries(found.map(({ id, email }) => [id, ctx.hashMailbox(email)]));
  await ctx.db.transaction((tx) => addHashes(tx, hashes));
}
