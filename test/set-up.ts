import { join } from "node:path";
import { settlementHour } from "#sandbox/gateway/transactions/settlement.ts";
import { keepSetting, openStore } from "#sandbox/store.ts";
import { openAcademy } from "./academy.ts";
import { cheapHashes } from "./cheap-hashes.ts";
import { keepFilesInMemory } from "./memory-folder.ts";
import { setUpPostgres } from "./postgres.ts";
import { seededVariable } from "./seeded.ts";

/**
 * Sets up a whole test run, for vitest and Playwright: a PostgreSQL, and an academy that seeds its demo and stops.
 * The tests' academies start with its data. Resolves to a function that undoes it.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const leaveMemory = keepFilesInMemory();
  const closePostgres = await setUpPostgres();
  try {
    const seeded = await openAcademy();
    // Runs the seed's due jobs, such as mails, once here instead of in each test.
    await seeded.advance("0s");
    await seeded.pool.query("update issuer.accounts set password_hash = $1", [cheapHashes["academy-demo"]]);
    await seeded.stop();
    settleLate(seeded.dataDir);
    process.env[seededVariable] = JSON.stringify({ database: seeded.database.name, dataDir: seeded.dataDir });
    return async () => {
      delete process.env[seededVariable];
      await seeded[Symbol.asyncDispose]();
      await closePostgres();
      leaveMemory();
    };
  } catch (error) {
    await closePostgres();
    leaveMemory();
    throw error;
  }
}

/** Lets charges of the next 20 hours be voided, so that no test depends on the hour at which it runs. */
function settleLate(dataDir: string): void {
  const store = openStore(join(dataDir, "sandbox"));
  keepSetting(store, settlementHour, String((new Date().getUTCHours() + 21) % 24));
  store.close();
}
