import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type Academy, openAcademy } from "#test/academy.ts";
import { cloneDatabase } from "#test/postgres.ts";
import { openSandboxProcess } from "#test/stand-ins/sandbox-process.ts";
import type { Visitor } from "#test/visitor.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The newest tag before this commit; until there is one, the last commit that changed the first migrations. */
function findPreviousRelease(): string {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  const tags = git("tag", "--list", "v*", "--sort=-v:refname", "--merged", "HEAD", "--no-contains", "HEAD");
  return tags.split("\n")[0] || git("log", "-1", "--format=%H", "--", "server/db/migrations/2026112818000*");
}

const previousRelease = process.env.PREVIOUS_RELEASE ?? findPreviousRelease();

/** A checkout of the previous release with built pages and its own packages, which may be others than ours. */
async function checkOutPrevious(): Promise<{ path: string } & AsyncDisposable> {
  await mkdir(join(root, "test-results"), { recursive: true });
  const path = await mkdtemp(join(root, "test-results/previous-"));
  const archive = execFileSync("git", ["archive", previousRelease], { cwd: root, maxBuffer: 1 << 30 });
  execFileSync("tar", ["-x", "-C", path], { input: archive });
  execFileSync("npm", ["ci", "--prefer-offline", "--no-audit", "--no-fund"], { cwd: path, stdio: "ignore" });
  execFileSync(process.execPath, ["scripts/build.ts"], {
    cwd: path,
    stdio: "ignore",
    // Without the variables of the test runner, which the build reads as its own.
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
  });
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** A round of typical requests to one node. Returns all statuses. */
async function walkThrough(node: Academy, round: number): Promise<number[]> {
  const visitor = node.visitor();
  const statuses: number[] = [];
  const send = async (who: Visitor, method: string, path: string, body?: object) => {
    const response = await who.send(method, path, body && JSON.stringify(body));
    statuses.push(response.status);
    await response.arrayBuffer();
  };
  const message = { name: "Ines Park", email: `ines-${round}@example.test`, message: `Question ${round}` };
  await send(visitor, "GET", "/");
  await send(visitor, "POST", "/api/contact", message);
  const student = await node.visitor().signUp();
  const payment = { ...(await student.paymentFor("premium")) };
  await send(student, "POST", "/api/authorize-net/accept-payment", payment);
  await send(student, "PUT", "/api/user/progress/lesson-1-1", { position: round });
  await send(student, "PUT", "/api/user/profile", {
    firstName: "Jo",
    lastName: `Vendor ${round}`,
    phone: "",
    location: "",
    bio: "",
  });
  for (const path of ["auth/user", "course-access", "user/purchases", "user/progress", "resources", "user/payments"]) {
    await send(student, "GET", `/api/${path}`);
  }
  const administrator = await node.visitor().signInAsDemo("admin@academy.test");
  for (const path of ["stats", "users", "purchases", "contacts", "money", "reconciliation"]) {
    await send(administrator, "GET", `/api/admin/${path}`);
  }
  return statuses;
}

test("the previous release and this one serve side by side on one database, without an error [I11]", async () => {
  await using previous = await checkOutPrevious();
  await using sandbox = await openSandboxProcess();
  const database = await cloneDatabase("template0");
  try {
    const env = { SANDBOX_URL: sandbox.url, SESSION_SECRET: "one secret that all of the nodes have in common" };
    await using before = await openAcademy(env, database, previous.path);
    const alone = await walkThrough(before, 0);
    await using after = await openAcademy(env, database);
    await using late = await openAcademy(env, database, previous.path);
    const rounds = Array.from({ length: 9 }, (_, round) =>
      walkThrough([before, after, late][round % 3] ?? after, round + 1),
    );
    const statuses = [alone, ...(await Promise.all(rounds))].flat();
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(before.log.concat(after.log, late.log).filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
  } finally {
    await database.drop();
  }
});
