import { type Academy, openAcademy, type RunningAcademy } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { openTestPool, type TestDatabase } from "#test/postgres.ts";
import { openSandboxProcess } from "#test/stand-ins/sandbox-process.ts";

/** Two nodes of one academy, a sandbox that outlives them, and connections to their database. */
export interface TwoNodes<Second = Academy> extends AsyncDisposable {
  readonly nodes: readonly [RunningAcademy, Second];
  readonly pool: ReturnType<typeof openTestPool>;
}

/** @param areBothKilled else the first node runs in the test's process, where it starts faster */
export function openTwoNodes(areBothKilled = false): Promise<TwoNodes> {
  return openBoth(areBothKilled ? openAcademy : openAcademyInProcess, openAcademy);
}

/** Both in the test's process, for tests that kill none. */
export function openTwoNodesInProcess(env: Record<string, string> = {}): Promise<TwoNodes<RunningAcademy>> {
  return openBoth(openAcademyInProcess, openAcademyInProcess, env);
}

async function openBoth<Second extends RunningAcademy>(
  openFirst: (env: Record<string, string>) => Promise<RunningAcademy>,
  openSecond: (env: Record<string, string>, shared: TestDatabase) => Promise<Second>,
  more: Record<string, string> = {},
): Promise<TwoNodes<Second>> {
  await using opened = new AsyncDisposableStack();
  const sandbox = opened.use(await openSandboxProcess());
  const secret = "one secret that both nodes of this test share";
  const env = { SANDBOX_URL: sandbox.url, SESSION_SECRET: secret, ...more };
  const first = opened.use(await openFirst(env));
  const second = opened.use(await openSecond({ ...env, PUBLIC_URL: first.url }, first.database));
  const pool = opened.adopt(openTestPool(first.database.connection), (open) => open.end());
  const all = opened.move();
  return { nodes: [first, second], pool, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
