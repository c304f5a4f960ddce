import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { openPool } from "#server/db/db.ts";
import { addressOf, openAcademy } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { freePort } from "#test/free-port.ts";
import type { TestDatabase } from "#test/postgres.ts";
import { productionEnv } from "#test/production-env.ts";
import { programEnv } from "#test/program-env.ts";
import { spawnSandbox } from "#test/stand-ins/sandbox-process.ts";
import { until } from "#test/until.ts";

// Demo and production never mix: what must not start ends with a sentence, and leaves nothing behind.

const { MODE: _, ...withoutMode } = productionEnv;

/** Starts a program of ours in an empty folder, and waits for its end. */
async function startAndFail(program: string, env: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), "academy-modes-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, "data");
  const child = spawn(process.execPath, [program], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    env: { ...programEnv, DATA_DIR: dataDir, PORT: String(await freePort()), ...env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "exit"), text(child.stdout)]);
  return { code: code as number | null, said: said.trim(), hasWritten: existsSync(dataDir) };
}

test.each([
  ["the live gateway", withoutMode, /^AUTHORIZE_NET_\* name the live gateway.*\nPUBLIC_URL .*$/],
  ["an https address", { PUBLIC_URL: "https://academy.example" }, /^PUBLIC_URL https:\/\/academy\.example lets .*$/],
  ["a host that others reach", { HOST: "0.0.0.0" }, /^HOST 0\.0\.0\.0 lets strangers into a demo.*$/],
])("without MODE %s starts nothing, and nothing is written [P40]", async (_what, env, sentence) => {
  for (const program of ["server/main.ts", "sandbox/main.ts"]) {
    const { code, said, hasWritten } = await startAndFail(program, env);
    expect({ code, hasWritten }, program).toEqual({ code: 1, hasWritten: false });
    expect(said, program).toMatch(sentence);
  }
});

test("nothing of the sandbox runs in production [P40]", async () => {
  expect(await startAndFail("sandbox/main.ts", { MODE: "production" })).toMatchObject({
    code: 1,
    said: "MODE is production, where there is no sandbox: nothing in it is real.",
    hasWritten: false,
  });
});

/** Everything that a database holds, in words. */
async function contentOf(database: TestDatabase): Promise<string> {
  const pool = openPool(database.connection, () => {}, 1);
  const { rows } = await pool.query(
    `select format('%s.%s', schemaname, relname) as name, n_live_tup, (select string_agg(value::text, ',') from settings)
     from pg_stat_user_tables order by 1`,
  );
  await pool.end();
  return JSON.stringify(rows.map(({ name, string_agg }) => [name, string_agg]));
}

test("production refuses a database that a demo has seeded, also without its mark [P40]", async () => {
  const demo = await openAcademyInProcess();
  onTestFinished(() => demo[Symbol.asyncDispose]());
  await demo.stop();
  const refuse = async () => {
    const before = await contentOf(demo.database);
    const ended = await startAndFail("server/main.ts", { ...productionEnv, DATABASE_URL: addressOf(demo.database) });
    expect(ended.code).toBe(1);
    expect(ended.said).toMatch(/^The database holds a demo, whose people have a password that everybody knows: .*\.$/);
    expect(await contentOf(demo.database)).toBe(before);
  };
  await refuse();
  // As a demo of an earlier release leaves it, and one that was killed while it was seeded.
  const pool = openPool(demo.database.connection, () => {}, 1);
  await pool.query("delete from settings where name in ('mode', 'demo-seeded')");
  await refuse();
  await pool.query("delete from identities");
  await refuse();
  await pool.end();
});

test("a demo refuses the database of a production academy [P40]", async () => {
  const academy = await openAcademyInProcess(productionEnv);
  onTestFinished(() => academy[Symbol.asyncDispose]());
  const { code, said } = await startAndFail("server/main.ts", { DATABASE_URL: addressOf(academy.database) });
  expect(code).toBe(1);
  expect(said).toMatch(/^The database is a production academy's, and a demo would open it to everybody: .*\.$/);
  // The same again in production is what a restart is.
  await academy.stop();
  await academy.start();
});

test("production warns of the embedded database [I17]", async () => {
  const academy = await openAcademyInProcess({ ...productionEnv, DATABASE_URL: "" });
  onTestFinished(() => academy[Symbol.asyncDispose]());
  expect(academy.log.some((line) => line.includes("the embedded database serves one machine"))).toBe(true);
});

test("production starts with claims that nothing backs, and warns with the list of them", async () => {
  const academy = await openAcademy(productionEnv);
  onTestFinished(() => academy[Symbol.asyncDispose]());
  await until(async () => academy.log.some((line) => line.includes("claims on the pages: ")));
  const warning = academy.log.find((line) => line.includes("claims on the pages: ")) ?? "";
  expect(JSON.parse(warning)).toMatchObject({
    level: "warn",
    msg: expect.stringMatching(/^claims on the pages: nothing backs 500\+ students .*see \/admin\/claims$/),
    claims: expect.arrayContaining(["students", "rating", "testimonial-1", "countdown", "was-price:vip_lifetime"]),
  });
});

/** The status of a request that is written by hand; no client would send some of these. */
function ask(url: string, lines: readonly string[]): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(`${lines.join("\r\n")}\r\n\r\n`));
    let said = "";
    socket.setEncoding("utf8");
    socket.on("data", (piece) => {
      said += piece;
    });
    socket.on("error", reject);
    socket.on("close", () => {
      const [head = "", body = ""] = said.split("\r\n\r\n");
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), body });
    });
  });
}

test("a demo answers only its configured host, at every address", async () => {
  const academy = await openAcademyInProcess();
  onTestFinished(() => academy[Symbol.asyncDispose]());
  const apart = await spawnSandbox();
  onTestFinished(() => apart[Symbol.asyncDispose]());
  const get = (url: string, path: string, host: string | null, version = "1.1") =>
    ask(url, [`GET ${path} HTTP/${version}`, ...(host === null ? [] : [`Host: ${host}`]), "Connection: close"]);
  for (const { url, paths } of [
    {
      url: academy.url,
      paths: ["/", "/sandbox", "/sandbox/api/mails", "/api/catalogue", "/healthz", "/issuer/x", "/nowhere"],
    },
    { url: apart.url, paths: ["/", "/sandbox", "/sandbox/api/mails"] },
  ]) {
    const { port } = new URL(url);
    const strangers = [
      "evil.example",
      `evil.example:${port}`,
      "localhost",
      "localhost:1",
      `localhost.evil.example:${port}`,
      `evil@localhost:${port}`,
      `0.0.0.0:${port}`,
      `10.0.0.1:${port}`,
    ];
    for (const path of paths) {
      for (const host of strangers) {
        const { status, body } = await get(url, path, host);
        expect(status, `${host} ${path}`).toBe(421);
        expect(body).toContain("alone.");
      }
      expect((await get(url, `http://evil.example:${port}${path}`, `localhost:${port}`)).status, path).toBe(421);
    }
    expect((await get(url, "/sandbox/api/mails", null, "1.0")).status).toBe(421);
    const typed = await ask(url, ["GET / HTTP/1.1", "Host: evil.example", "Accept: text/html", "Connection: close"]);
    expect(typed.status).toBe(421);
    expect(typed.body).toContain(`<a class="button" href="${url}">`);
    for (const host of [`localhost:${port}`, `LOCALHOST:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      expect((await get(url, "/sandbox/api/mails", host)).status, host).toBe(200);
    }
    const posted = await ask(url, [
      "POST /sandbox/api/clock HTTP/1.1",
      "Host: evil.example",
      "Content-Type: application/json",
      "Content-Length: 16",
      "",
      '{"advance":"1d"}',
    ]);
    expect(posted.status).toBe(421);
  }
  for (const [host, version] of [
    [new URL(academy.url).host.replace("localhost", "127.0.0.1"), "1.1"],
    [null, "1.0"],
  ] as const) {
    expect((await get(academy.url, "/healthz", host, version)).status).toBe(200);
  }
});

test("a public demo answers its public name too", async () => {
  const academy = await openAcademyInProcess({ PUBLIC_URL: "https://demo.example", DEMO_IS_PUBLIC: "yes" });
  onTestFinished(() => academy[Symbol.asyncDispose]());
  const statusFor = async (host: string) =>
    (await ask(academy.url, ["GET /healthz HTTP/1.1", `Host: ${host}`, "Connection: close"])).status;
  expect([
    await statusFor("demo.example"),
    await statusFor("DEMO.example:443"),
    await statusFor("evil.example"),
  ]).toEqual([200, 200, 421]);
});

test("in production a request for another host learns only our own name [P40]", async () => {
  const academy = await openAcademyInProcess(productionEnv);
  onTestFinished(() => academy[Symbol.asyncDispose]());
  const login = await academy.visitor().send("GET", "/api/login", undefined, { host: "evil.example" });
  expect(login.headers.get("location")).toMatch(/^https:\/\/academy\.example\//);
});
