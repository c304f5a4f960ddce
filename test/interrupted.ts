import type { Academy, RunningAcademy } from "./academy.ts";
import { openAcademyInProcess } from "./academy-in-process.ts";
import { openTwoNodes } from "./two-nodes.ts";

/** An academy whose work is interrupted. */
export interface Interrupted extends AsyncDisposable {
  readonly first: RunningAcademy;
  readonly pool: RunningAcademy["pool"];
  interrupt(): Promise<void>;
}

/**
 * Breaks all connections of an academy in the test's process to its database, which takes little time. With `isKilled`
 * kills two nodes by turns, and starts them again.
 */
export async function openInterrupted(isKilled: boolean): Promise<Interrupted> {
  if (isKilled) {
    const { nodes, pool, ...opened } = await openTwoNodes(true);
    let interruptions = 0;
    return {
      first: nodes[0],
      pool,
      async interrupt() {
        interruptions += 1;
        const victim = nodes[interruptions % 2] as Academy;
        await victim.kill();
        await victim.start();
      },
      [Symbol.asyncDispose]: opened[Symbol.asyncDispose],
    };
  }
  const first = await openAcademyInProcess();
  const { pool } = first;
  return {
    first,
    pool,
    async interrupt() {
      await pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'academy'`,
      );
    },
    [Symbol.asyncDispose]: () => first[Symbol.asyncDispose](),
  };
}
