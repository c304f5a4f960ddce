import type { Academy, RunningAcademy } from "./academy.ts";
import { openAcademyInProcess } from "./academy-in-process.ts";
import { openTwoNodes } from "./two-nodes.ts";
import { until } from "./until.ts";

/** An academy whose work is interrupted. */
export interface Interrupted extends AsyncDisposable {
  readonly first: RunningAcademy;
  readonly pool: RunningAcademy["pool"];
  interrupt(): Promise<void>;
}

/** Moves the clock, and interrupts the due work each time that `hasDone` says that another share of it is done. */
export async function advanceInterrupted(
  { first, interrupt }: Interrupted,
  duration: string,
  kills: number,
  hasDone: (share: number) => Promise<boolean>,
): Promise<void> {
  // Moving the clock waits for due jobs, but these are interrupted.
  const moved = [first.advance(duration).catch(() => null)];
  for (let kill = 1; kill <= kills; kill++) {
    await until(() => hasDone(kill / (kills + 2)), 1800);
    await interrupt();
    // Another node takes over a killed node's jobs after two minutes.
    moved.push(first.advance("3m").catch(() => null));
  }
  await Promise.all(moved);
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
