import { z } from "zod";
import type { Tier } from "#contract/tiers.ts";
import type { Db } from "#server/db/db.ts";
import { setAccessCache } from "#server/identity/users.ts";
import { defineJob, listDueJobs } from "#server/jobs/jobs.ts";
import { listCaches, listGrants } from "./queries.ts";
import { computeAccess, hasOpened } from "./rules.ts";

/** Runs when a grant begins or ends. */
export const accessChangedJob = defineJob("access-changed", z.object({ userId: z.string() }));

/** Recomputes the cached tier from the grants, which alone decide. */
export async function refreshAccessCache(db: Db, userId: string, now: Date): Promise<Tier | null> {
  const grants = await listGrants(db, userId);
  // Grants that begin slightly later than `now` count too: a request that waited for the student's lock has an older
  // instant, and another node's clock may be ahead. Nothing would refresh the cache later.
  const at = grants.reduce((last, { writtenAt }) => (writtenAt > last ? writtenAt : last), now);
  const { tier } = computeAccess(grants, at);
  await setAccessCache(db, userId, { tier, hasPurchased: hasOpened(grants, at) }, now);
  return tier;
}

/** Leaves out users whose grant has just begun or ended and whose job has not run yet. */
export async function listWrongCaches(
  db: Db,
  now: Date,
): Promise<{ userId: string; cached: string; fromLedger: string }[]> {
  const following = new Set((await listDueJobs(db, accessChangedJob, now)).map(({ userId }) => userId));
  const wrong: { userId: string; cached: string; fromLedger: string }[] = [];
  for (let afterId: string | undefined = ""; afterId !== undefined; ) {
    const page = await listCaches(db, afterId, cachesAtOnce);
    for (const { id, tier, hasPurchased, grants } of page) {
      const cached = cacheWords(tier, hasPurchased);
      const fromLedger = cacheWords(computeAccess(grants, now).tier, hasOpened(grants, now));
      if (cached !== fromLedger && !following.has(id)) wrong.push({ userId: id, cached, fromLedger });
    }
    afterId = page.length < cachesAtOnce || wrong.length >= maxWrong ? undefined : page.at(-1)?.id;
  }
  return wrong.slice(0, maxWrong);
}

const cachesAtOnce = 2000;
const maxWrong = 200;

function cacheWords(tier: string | null, hasPurchased: boolean): string {
  return `${tier ?? "no tier"}${hasPurchased ? "" : ", never opened"}`;
}
