import { openPool } from "#server/db/db.ts";
import { type Academy, openAcademy, type RunningAcademy } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { openSandboxProcess } from "#test/stand-ins/sandbox-process.ts";

/** Two nodes of one academy, a sandbox that outlives them, and connections to their database. */
export interface TwoNodes extends AsyncDisposable {
  readonly nodes: readonly [RunningAcademy, Academy];
  readonly pool: ReturnType<typeof openPool>;
}

/** @param areBothKilled else the first node runs in the test's process, where it starts faster */
export async function openTwoNodes(areBothKilled = false): Promise<TwoNodes> {
  await using opened = new AsyncDisposableStack();
  const sandbox = opened.use(await openSandboxProcess());
  const env = { SANDBOX_URL: sandbox.url, SESSION_SECRET: "one secret that both nodes of this test share" };
  const first = opened.use(await (areBothKilled ? openAcademy : openAcademyInProcess)(env));
  const second = opened.use(await openAcademy({ ...env, PUBLIC_URL: first.url }, first.database));
  const pool = opened.adopt(
    openPool(first.database.connection, () => {}, 2),
    (open) => open.end(),
  );
  const all = opened.move();
  return { nodes: [first, second], pool, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
