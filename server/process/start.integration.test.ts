import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoAccounts, demoPassword } from "#content/demo-accounts.ts";
import { addressOf, openAcademy } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { freePort } from "#test/free-port.ts";
import { cloneDatabase, type TestDatabase } from "#test/postgres.ts";
import { productionEnv } from "#test/production-env.ts";
import { programEnv } from "#test/program-env.ts";
import { until } from "#test/until.ts";

let folder: string;
let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
  folder = await mkdtemp(join(tmpdir(), "academy-start-"));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Starts the server and waits for its end. */
async function startAndFail(env: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ["server/main.ts"], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    env: { ...programEnv, DATA_DIR: join(folder, "data"), PORT: String(await freePort()), ...env },
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "exit"), text(child.stdout)]);
  return { code: code as number | null, said: said.trim() };
}

test("a wrong environment is one sentence for each variable and exit code 1", async () => {
  expect(await startAndFail({ PORT: "many" })).toEqual({ code: 1, said: "PORT is a number." });
});

test("a DATA_DIR that cannot be written is one sentence and exit code 1", async () => {
  const file = join(folder, "a-file");
  await writeFile(file, "");
  const { code, said } = await startAndFail({ DATA_DIR: join(file, "data") });
  expect(code).toBe(1);
  expect(said).toMatch(/^DATA_DIR .* cannot be written: .*\.$/);
});

test("a wrong DATABASE_URL is one sentence and exit code 1", async () => {
  const { connection } = database;
  const server = "connectionString" in connection ? new URL(connection.connectionString).host : "localhost";
  const socket = "host" in connection ? `?host=${encodeURIComponent(connection.host)}` : "";
  const { code, said } = await startAndFail({ DATABASE_URL: `postgres://nobody:wrong@${server}/no_such_db${socket}` });
  expect(code).toBe(1);
  expect(said).toMatch(/^The database of DATABASE_URL cannot be used: .*\.$/);
  expect(said).not.toContain("wrong");
});

test("a port that is taken is one sentence and exit code 1", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as { port: number };
  const { code, said } = await startAndFail({ PORT: String(port), DATABASE_URL: addressOf(database) });
  other.close();
  expect(code).toBe(1);
  expect(said).toBe("PORT is taken by another program. Stop it, or choose another PORT.");
});

test("more workers than the database has connections for are refused, and a worker that cannot start says why [I22]", async () => {
  const tooMany = await startAndFail({ WORKERS: "64", DATABASE_URL: addressOf(database) });
  expect(tooMany.code).toBe(1);
  expect(tooMany.said).toMatch(/^WORKERS=64 does not fit: the database allows \d+ connections, enough for \d+ on this/);
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as { port: number };
  const taken = await startAndFail({ WORKERS: "2", PORT: String(port), DATABASE_URL: addressOf(database) });
  other.close();
  expect(taken).toEqual({ code: 1, said: "PORT is taken by another program. Stop it, or choose another PORT." });
});

test("a demo that is ready says where it is, who may sign in, and where its outside world is", async () => {
  const academy = await openAcademy();
  try {
    await until(async () => academy.log.some((line) => line.endsWith("/sandbox")));
    const at = academy.log.indexOf(`Academy is ready: ${academy.url}`);
    expect(academy.log.filter((line) => line.includes("Academy is ready"))).toHaveLength(1);
    const guide = academy.log.slice(at + 1).join("\n");
    expect(guide).toContain(`password ${demoPassword}`);
    for (const { email } of demoAccounts) expect(guide).toContain(email);
    expect(guide).toContain(`${academy.url}/sandbox`);
  } finally {
    await academy[Symbol.asyncDispose]();
  }
});

test("a second academy on the same DATA_DIR is refused in one sentence", async () => {
  const academy = await openAcademyInProcess();
  try {
    const { code, said } = await startAndFail({ DATA_DIR: academy.dataDir });
    expect(code).toBe(1);
    expect(said).toMatch(/^DATA_DIR .* is in use by another academy/);
  } finally {
    await academy[Symbol.asyncDispose]();
  }
});

test("in production nothing of the sandbox is there, and everything is for https", async () => {
  const academy = await openAcademy({
    ...productionEnv,
    TRUST_PROXY: "loopback",
  });
  try {
    const said = academy.log.filter((line) => !line.startsWith("{"));
    expect(said).toEqual(["Academy is ready: https://academy.example"]);
    const visitor = academy.visitor();
    for (const path of ["/sandbox", "/sandbox/api/mails", "/sandbox/gateway/v1/Accept.js"]) {
      expect((await visitor.send("GET", path)).status, path).toBe(404);
    }
    const login = await visitor.send("GET", "/api/login", undefined, { host: "evil.example" });
    expect(login.headers.get("location")).toMatch(/^https:\/\/academy\.example\/issuer\//);
    for (const line of login.headers.getSetCookie()) expect(line).toMatch(/; Secure/);
    expect(login.headers.get("strict-transport-security")).toMatch(/max-age=31536000/);
    const checkout = (await visitor.send("GET", "/checkout")).headers.get("content-security-policy") ?? "";
    expect(checkout).toMatch(/script-src 'self' [^;]*https:\/\/js\.authorize\.net/);
    expect(checkout).toMatch(/connect-src 'self' [^;]*https:\/\/api\.authorize\.net/);
    expect((await visitor.send("GET", "/")).headers.get("content-security-policy")).not.toContain("authorize.net");
    const signIn = await visitor.send("GET", new URL(login.headers.get("location") ?? "").pathname);
    expect(await signIn.text()).not.toContain("Continue as");
  } finally {
    await academy[Symbol.asyncDispose]();
  }
});
