/** Tells test processes where the set-up of this run has stored a seeded academy's data. */
export const seededVariable = "ACADEMY_TEST_SEEDED";

/** A seeded academy's database and folder, for copying. Undefined while there is none. */
export function findSeeded(): { database: string; dataDir: string } | undefined {
  const text = process.env[seededVariable];
  return text && JSON.parse(text);
}
