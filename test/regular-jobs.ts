import type { RunningAcademy } from "./academy.ts";

/** Deletes the jobs that wait, except these, for a test that moves the clock often and is about none of the others. */
export async function leaveOnlyJobs({ pool }: RunningAcademy, ...names: readonly string[]): Promise<void> {
  await pool.query("delete from jobs where name <> all($1)", [names]);
}
