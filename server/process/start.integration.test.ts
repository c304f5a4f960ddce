import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { addressOf, openAcademy } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { databaseOfTest, test } from "#test/fixtures.ts";
import { freePort } from "#test/free-port.ts";
import { listening } from "#test/listening.ts";
import { runProgram } from "#test/operate.ts";
import { cloneDatabase } from "#test/postgres.ts";
import { productionEnv } from "#test/production-env.ts";
import { answerTo } from "#test/raw-requests.ts";
import { findSeeded } from "#test/seeded.ts";
import { openRefusingPooler } from "#test/stand-ins/refusing-pooler.ts";
import { spawnSandbox } from "#test/stand-ins/sandbox-process.ts";
import { folderOfTest } from "#test/temporary-folder.ts";
import { until } from "#test/until.ts";
import { requireDatabaseOf } from "./database-mode.ts";

// What must not start ends with a sentence, and leaves nothing behind. Demo and production never mix.

/** Starts a program of ours in an empty folder, and waits for its end. */
async function startAndFail(env: Record<string, string>, program = "server/main.ts") {
  const dataDir = join(folderOfTest(), "data");
  const ended = await runProgram([program], { DATA_DIR: dataDir, PORT: String(await freePort()), ...env });
  return { code: ended.code, said: ended.failed, hasWritten: existsSync(dataDir) };
}

test("a wrong environment is one sentence for each variable, exit code 1, and writes nothing", async () => {
  const said = "PORT is a number.";
  expect(await startAndFail({ PORT: "many" })).toEqual({ code: 1, said, hasWritten: false });
});

// `config.test.ts` has all the environments that a demo refuses.
test("a sandbox does not start for the live gateway, for strangers, or in production [P40]", async () => {
  expect(await startAndFail(productionEnv, "sandbox/main.ts")).toEqual({
    code: 1,
    said: expect.stringMatching(
      /^MODE is production, where .*\nAUTHORIZE_NET_\* name the live gateway.*\nPUBLIC_URL .* lets strangers .*$/,
    ),
    hasWritten: false,
  });
});

test("a DATA_DIR or a database that cannot be used is one sentence, without the password", async () => {
  const file = join(folderOfTest(), "a-file");
  await writeFile(file, "");
  const unwritable = openAcademyInProcess({ DATA_DIR: join(file, "data") });
  await expect(unwritable).rejects.toThrow(/^DATA_DIR .* cannot be written\. .*\.$/);
  const { database } = await databaseOfTest();
  const absent = new URL(addressOf(database).replace(/^(postgres(?:ql)?:\/\/)[^@]*@/, "$1nobody:wrong@"));
  absent.pathname = "/no_such_db";
  const failure = await openAcademyInProcess({ DATABASE_URL: absent.href }).catch((error: Error) => error);
  expect(String(failure)).toMatch(/: The database cannot be used\. .*\.$/);
  expect(String(failure)).not.toContain("wrong");
  await using pooler = await openRefusingPooler();
  await expect(openAcademyInProcess({ DATABASE_URL: pooler.url })).rejects.toThrow(
    /^The database cannot be used\. Its address leads to a connection pooler, and the academy needs a direct .*\.$/,
  );
});

test("a PORT that is taken is one sentence", async () => {
  const { database } = await databaseOfTest();
  const other = createServer();
  const port = await listening(other);
  onTestFinished(() => void other.close());
  const taken = await startAndFail({ PORT: String(port), DATABASE_URL: addressOf(database) });
  expect(taken.code).toBe(1);
  expect(taken.said).toBe("PORT is taken by another program. Stop it, or choose another PORT.");
});

test("production refuses a database that a demo has seeded, also without its mark [P40]", async () => {
  const { database, pool } = await databaseOfTest(cloneDatabase(findSeeded()?.database));
  const content = async () => {
    const { rows } = await pool.query(
      `select format('%s.%s', schemaname, relname), (select string_agg(value::text, ',') from operational_marks)
       from pg_stat_user_tables order by 1`,
    );
    return rows;
  };
  const before = await content();
  const refusal = /^The database holds a demo, whose people have a password that everybody knows: .*\.$/;
  await expect(openAcademyInProcess(productionEnv, database)).rejects.toThrow(refusal);
  expect(await content()).toEqual(before);
  // As a demo leaves it that was killed while it was seeded.
  for (const statement of [
    "delete from operational_marks where name in ('mode', 'demo-seeded')",
    "delete from identities",
  ]) {
    await pool.query(statement);
    await expect(requireDatabaseOf(pool, "production"), statement).rejects.toThrow(refusal);
  }
});

test("production says little, warns of its database and its claims, and has nothing of a demo [I17 P40]", async () => {
  await using academy = await openAcademy({ ...productionEnv, TRUST_PROXY: "loopback", DATABASE_URL: "" });
  const said = academy.log.filter((line) => !line.startsWith("{"));
  expect(said).toEqual(["Academy is ready: https://academy.example"]);
  expect(academy.log.some((line) => line.includes("the embedded database serves one machine"))).toBe(true);
  const warning = await until(async () => academy.log.find((line) => line.includes("claims on the pages: ")));
  expect(JSON.parse(warning)).toMatchObject({
    level: "warn",
    msg: expect.stringMatching(/^claims on the pages: no proof yet of 500\+ students .*see \/admin\/claims$/),
    claims: expect.arrayContaining(["students", "rating", "testimonial-1", "countdown", "was-price:vip_lifetime"]),
  });
  const visitor = academy.visitor();
  for (const path of ["/sandbox", "/sandbox/api/mails", "/sandbox/gateway/v1/Accept.js", "/metrics"]) {
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

  await academy.stop();
  await expect(openAcademyInProcess({ DATA_DIR: academy.dataDir, DATABASE_URL: "" })).rejects.toThrow(
    /^The database is a production academy's, and a demo would open it to everybody: .*\.$/,
  );
  // The same again in production is what a restart is. Here it starts faster.
  await using _again = await openAcademyInProcess({
    ...productionEnv,
    ...{ TRUST_PROXY: "loopback", DATABASE_URL: "", DATA_DIR: academy.dataDir },
  });
});

/** The answer to a request that is written by hand; no client would send some of these. */
async function ask(url: string, lines: readonly string[]): Promise<{ status: number; body: string }> {
  const said = await answerTo({ url }, `${lines.join("\r\n")}\r\n\r\n`);
  const [head = "", body = ""] = said.split("\r\n\r\n");
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), body };
}

test("a demo and its sandbox answer only their configured host", async ({ academy }) => {
  await using apart = await spawnSandbox();
  for (const { url } of [academy, apart]) {
    const get = (path: string, host: string | null, version = "1.1") =>
      ask(url, [`GET ${path} HTTP/${version}`, ...(host === null ? [] : [`Host: ${host}`]), "Connection: close"]);
    const { port } = new URL(url);
    for (const host of [
      ...["evil.example", `evil.example:${port}`, "localhost", "localhost:1", `localhost.evil.example:${port}`],
      ...[`evil@localhost:${port}`, `0.0.0.0:${port}`, `10.0.0.1:${port}`],
    ]) {
      const { status, body } = await get("/sandbox/api/mails", host);
      expect(status, host).toBe(421);
      expect(body).toContain("alone.");
    }
    for (const path of ["/", "/sandbox"]) {
      expect((await get(path, "evil.example")).status, path).toBe(421);
      expect((await get(`http://evil.example:${port}${path}`, `localhost:${port}`)).status, path).toBe(421);
    }
    expect((await get("/sandbox/api/mails", null, "1.0")).status).toBe(421);
    const typed = await ask(url, ["GET / HTTP/1.1", "Host: evil.example", "Accept: text/html", "Connection: close"]);
    expect(typed.status).toBe(421);
    expect(typed.body).toContain(`<a class="button" href="${url}">`);
    for (const host of [`localhost:${port}`, `LOCALHOST:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      expect((await get("/sandbox/api/mails", host)).status, host).toBe(200);
    }
    const json = ["Content-Type: application/json", "Content-Length: 16", "", '{"advance":"1d"}'];
    const posted = await ask(url, ["POST /sandbox/api/clock HTTP/1.1", "Host: evil.example", ...json]);
    expect(posted.status).toBe(421);
  }
  const probe = (headers: string[], version: string) => ask(academy.url, [`GET /healthz HTTP/${version}`, ...headers]);
  const { port } = new URL(academy.url);
  expect((await probe([`Host: 127.0.0.1:${port}`, "Connection: close"], "1.1")).status).toBe(200);
  expect((await probe(["Connection: close"], "1.0")).status).toBe(200);
});
