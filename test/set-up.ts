import { openAcademy } from "./academy.ts";
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
