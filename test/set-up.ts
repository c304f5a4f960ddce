import { openAcademy } from "./academy.ts";
import { keepFilesInMemory } from "./memory-folder.ts";
import { setUpPostgres } from "./postgres.ts";
import { seededVariable } from "./seeded.ts";

/**
 * Set-up of a whole test run, for vitest and Playwright alike: a PostgreSQL, and one academy that has seeded its demo
 * and stopped. What it left is what the academies of the tests start with. Resolves to what undoes it.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const leaveMemory = keepFilesInMemory();
  const closePostgres = await setUpPostgres();
  try {
    const seeded = await openAcademy();
    // What the seed made due, such as mails, is done once here and not again by each of them.
    await seeded.advance("0s");
    await seeded.stop();
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
