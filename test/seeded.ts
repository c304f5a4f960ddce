/** Says where the set-up of this test run keeps what a seeded academy left. */
export const seededVariable = "ACADEMY_TEST_SEEDED";

/** The database and the folder that a seeded academy left, to be copied; undefined while there is none. */
export function findSeeded(): { database: string; dataDir: string } | undefined {
  const text = process.env[seededVariable];
  return text && JSON.parse(text);
}
