import { setTimeout as wait } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { z } from "zod";
import type { Config } from "#server/context/config.ts";
import { openDb, openPool } from "#server/db/db.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { jobs } from "#server/jobs/tables.ts";
import { cannotConnect, connectDatabase, OperationRefused } from "./connect-database.ts";

export const rotateSigningKeyJob = defineJob("rotate-signing-key", z.object({}));

const waitFor = 60;

/**
 * Has a running academy publish the next signing key of the built-in issuer.
 * @returns false when none did within a minute: the next start does
 * @throws OperationRefused with another sign-in provider
 */
export async function rotateSigningKey(config: Config): Promise<boolean> {
  if (config.oidc !== "built-in") throw new OperationRefused("OIDC_ISSUER names another provider, which has the keys.");
  const database = await connectDatabase(config);
  const pool = openPool(database.connection, () => {}, 1);
  const db = openDb(pool);
  try {
    await pool.query("select 1").catch(cannotConnect);
    const now = new Date(0);
    await scheduleJob(db, rotateSigningKeyJob, { data: {}, key: "asked", runAt: now, now });
    for (let seconds = 0; seconds < waitFor; seconds += 0.5) {
      if ((await db.$count(jobs, eq(jobs.name, rotateSigningKeyJob.name))) === 0) return true;
      await wait(500);
    }
    return false;
  } finally {
    await pool.end();
    await database.close();
  }
}
