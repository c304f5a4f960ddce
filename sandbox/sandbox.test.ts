import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import swagger from "@fastify/swagger";
import Fastify from "fastify";
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { createTransport } from "nodemailer";
import { expect, onTestFinished, test } from "vitest";
import { smtpMail } from "#server/mail/smtp.ts";
import { freePort } from "#test/free-port.ts";
import { listening } from "#test/listening.ts";
import { transact } from "#test/stand-ins/merchant-api.ts";
import { runSandbox } from "#test/stand-ins/sandbox-in-process.ts";
import { sandboxOfTest } from "#test/stand-ins/sandbox-of-test.ts";
import { emptySandbox } from "./empty.ts";
import { followSandbox } from "./follow.ts";
import { openSandbox } from "./sandbox.ts";

const academyUrl = "http://localhost:9";

test("mail arrives over SMTP, is listed newest first, and can be deleted", async () => {
  const { api, sandbox } = await sandboxOfTest();
  const mailer = createTransport(sandbox.smtpUrl);
  const [from, html] = ["Academy <support@academy.test>", "<p>Hello</p>"];
  await mailer.sendMail({ from, to: "new@academy.test", subject: "Wëlcome", text: "Hello", html });
  await mailer.sendMail({ from, to: "a@academy.test, B <b@academy.test>", subject: "Receipt", text: "Paid" });
  const { content } = await api("GET", "mails");
  expect(content).toEqual([
    {
      ...{ to: "a@academy.test, b@academy.test", from: "support@academy.test", subject: "Receipt" },
      ...{ text: "Paid\n", html: "", calendar: null, at: expect.any(String) },
    },
    expect.objectContaining({ to: "new@academy.test", subject: "Wëlcome", html: expect.stringContaining(html) }),
  ]);
  expect((await api("DELETE", "mails")).status).toBe(204);
  expect((await api("GET", "mails")).content).toEqual([]);
});

test("two mails with the same Message-ID are one mail, as in real mailboxes", async () => {
  const { api, sandbox } = await sandboxOfTest();
  const from = { name: "Academy", address: "support@academy.test" };
  const mail = smtpMail(sandbox.smtpUrl, "academy.example", async () => from);
  onTestFinished(() => mail.close());
  const message = { to: "new@academy.test", subject: "Receipt", text: "Paid", html: "<p>Paid</p>" };
  for (const id of ["one", "one", "two"]) await mail.send(message, id);
  expect((await api("GET", "mails")).content).toHaveLength(2);
});

test("the clock only moves forward, and waits for everything due", async () => {
  const { api, sandbox } = await sandboxOfTest();
  const finished: string[] = [];
  sandbox.clock.onMove(async () => {
    throw new Error("This one fails and holds nobody up.");
  });
  sandbox.clock.onMove(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    finished.push(sandbox.clock.now().toISOString().slice(0, 10));
  });
  const start = Date.now();
  const { content } = await api("POST", "clock", { advance: "1d12h" });
  expect(Date.parse(content.now) - start).toBeGreaterThanOrEqual(1.5 * 86_400_000);
  expect(finished).toHaveLength(1);

  const later = new Date(start + 40 * 86_400_000).toISOString();
  expect(Date.parse((await api("POST", "clock", { set: later })).content.now)).toBeGreaterThanOrEqual(
    Date.parse(later),
  );
  expect(await api("POST", "clock", { set: new Date(start).toISOString() })).toEqual({
    status: 400,
    content: { message: "Time never goes back." },
  });
  expect(finished).toHaveLength(2);
});

test("it works inside a server with zod validation and an API document, and uses neither", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "sandbox-"));
  const sandbox = await openSandbox({ dataDir, url: "http://localhost:3000", academyUrl: null });
  const app = Fastify().setValidatorCompiler(validatorCompiler).setSerializerCompiler(serializerCompiler);
  onTestFinished(async () => {
    await app.close();
    await sandbox.close();
  });
  await app.register(swagger, {
    openapi: { info: { title: "Academy", version: "1" } },
    transform: jsonSchemaTransform,
  });
  await app.register(sandbox.routes, { prefix: "/sandbox" });
  const body = { outcomes: ["hold"] };
  const staged = await app.inject({ method: "POST", url: "/sandbox/api/gateway/next", body });
  expect(staged.json()).toEqual(body);
  const broken = { method: "POST", url: "/sandbox/gateway/xml/v1/request.api", body: "{" } as const;
  expect((await app.inject(broken)).body).toContain("E00003");
  const page = await app.inject("/sandbox");
  expect(page.headers["content-security-policy"]).toContain("script-src 'self'");
  expect(app.swagger().paths).toEqual({});
});

test("a malformed request is answered with 400 and a sentence", async () => {
  const { api, url } = await sandboxOfTest();
  const malformed = [
    api("POST", "clock", { advance: "tomorrow" }),
    api("POST", "clock", { advance: "1d", set: "2099-01-01T00:00:00Z" }),
    api("POST", "clock", { advance: "99999999999d" }),
    api("POST", "gateway/next", { outcomes: ["explode"] }),
    api("POST", "gateway/next", { outcomes: ["slow:999999"] }),
    api("POST", "gateway/webhook", { transId: "1", event: "party.started" }),
    api("POST", "clock/ack", {}),
  ];
  for (const { status, content } of await Promise.all(malformed)) {
    expect(status).toBe(400);
    expect(content.message).toMatch(/\.$/);
  }
  const broken = await fetch(`${url}/sandbox/api/clock`, { method: "POST", body: "{" });
  expect(broken.status).toBe(400);
  const large = await fetch(`${url}/sandbox/api/clock`, { method: "POST", body: "x".repeat(2_000_000) });
  expect(large.status).toBe(413);
  expect((await api("GET", "clock")).status).toBe(200);
});

test("pages of other sites cannot change the sandbox", async () => {
  const { url } = await sandboxOfTest();
  const headers = { "sec-fetch-site": "cross-site" };
  const body = JSON.stringify({ advance: "1d" });
  expect((await fetch(`${url}/sandbox/api/clock`, { method: "POST", headers, body })).status).toBe(403);
  expect((await fetch(`${url}/sandbox/api/mails`, { method: "DELETE", headers })).status).toBe(403);
});

test("ledger, staged outcomes, mails, time and SMTP address survive a restart", async () => {
  const first = await runSandbox();
  const token = await first.tokenize();
  await first.api("POST", "clock", { advance: "30d" });
  await first.api("POST", "gateway/next", { outcomes: ["hold"] });
  const mail = { from: "a@b.test", to: "c@d.test", subject: "Kept", text: "" };
  await createTransport(first.sandbox.smtpUrl).sendMail(mail);
  const before = await first.api("GET", "clock");
  await first.close();

  const second = await sandboxOfTest({ dataDir: first.dataDir });
  const after = await second.api("GET", "clock");
  expect(Date.parse(after.content.now)).toBeGreaterThanOrEqual(Date.parse(before.content.now));
  expect((await second.api("GET", "gateway/next")).content).toEqual({ outcomes: ["hold"] });
  expect((await second.api("GET", "mails")).content).toEqual([expect.objectContaining({ subject: "Kept" })]);
  expect(second.sandbox.smtpUrl).toBe(first.sandbox.smtpUrl);
  expect(token).toMatch(/^[A-Za-z0-9+/=]+$/);
});

test("two sandboxes do not share a folder, and one of another release is refused until it is emptied", async () => {
  const { dataDir, url, close } = await runSandbox();
  const again = () => openSandbox({ dataDir, url, academyUrl: null });
  await expect(again()).rejects.toThrow("Two of them need two folders.");
  await close();
  const file = new DatabaseSync(join(dataDir, "sandbox.sqlite"));
  file.exec("pragma user_version = 5");
  file.close();
  await expect(again()).rejects.toThrow("Empty the demo: npm run db:reset.");
  emptySandbox(dataDir);
  await (await again()).close();
});

test("moving the clock waits for academies in other processes, until they leave", async () => {
  const { api, url, sandbox } = await sandboxOfTest();
  const academy = await followSandbox(url, academyUrl);
  const gone = await followSandbox(url, academyUrl);
  onTestFinished(academy.close);
  expect(academy.smtpUrl).toBe(sandbox.smtpUrl);
  expect(academy.gateway.apiUrl).toBe(sandbox.gateway.apiUrl);

  const seen: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  academy.clock.onMove(async () => {
    await released;
    seen.push(academy.clock.now().toISOString());
  });
  gone.clock.onMove(() => new Promise(() => {}));
  const moving = api("POST", "clock", { advance: "31d" }).then((answer) => seen.push(answer.content.now));
  while (academy.clock.now().getTime() - Date.now() < 30 * 86_400_000) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(seen).toEqual([]);
  release();
  void gone.close();
  await moving;
  expect(seen).toHaveLength(2);
  expect(Math.abs(Date.parse(seen[0] ?? "") - Date.parse(seen[1] ?? ""))).toBeLessThan(5000);
});

test("a follower that is busy with a move still takes the next move's time at once", async () => {
  const { smtpUrl, gateway, video } = (await sandboxOfTest()).sandbox;
  const { promise: following, resolve: follow } = Promise.withResolvers<ServerResponse>();
  const impatient = createServer((request, response) => {
    if (request.url?.includes("/follow")) follow(response);
    else response.end(JSON.stringify({ smtpUrl, gateway, video }));
  });
  const port = await listening(impatient, "localhost");
  onTestFinished(() => impatient.closeAllConnections());
  const moveBy = async (days: number) =>
    (await following).write(`data: {"follower":"one","offsetMs":${days * 86_400_000},"move":${days}}\n\n`);
  const [academy] = await Promise.all([followSandbox(`http://localhost:${port}`, academyUrl), moveBy(0)]);
  onTestFinished(academy.close);
  academy.clock.onMove(() => new Promise(() => {}));
  await moveBy(1);
  await moveBy(2);
  await expect.poll(() => academy.clock.now().getTime() - Date.now()).toBeGreaterThan(1.9 * 86_400_000);
});

test("a killed sandbox keeps every acknowledged charge, and its follower the time until it is back", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "sandbox-"));
  const first = await startApart(dataDir);
  const academy = await followSandbox(first.url, academyUrl);
  onTestFinished(academy.close);
  const { promise: moved, resolve } = Promise.withResolvers<void>();
  await fetch(`${first.url}/sandbox/api/clock`, { method: "POST", body: '{"advance":"1d"}' });
  academy.clock.onMove(async () => resolve());
  const payment = { creditCard: { cardNumber: "5424000000000015", expirationDate: "2099-12" } };
  await transact(first.url, { transactionType: "authCaptureTransaction", amount: "397.00", payment });
  await first.stop("SIGKILL");
  expect(academy.clock.now().getTime() - Date.now()).toBeGreaterThan(86_000_000);

  // Somebody moves the sandbox's time while it has no followers.
  const elsewhere = await runSandbox({ dataDir });
  await elsewhere.api("POST", "clock", { advance: "30d" });
  await elsewhere.close();
  const second = await startApart(dataDir, first.port);
  const ledger = await jsonAt(`${second.url}/sandbox/api/gateway/transactions`);
  expect(ledger).toEqual([expect.objectContaining({ amount: 397, last4: "0015", responseCode: "1" })]);
  await moved;
  expect(academy.clock.now().getTime() - Date.now()).toBeGreaterThan(30.9 * 86_400_000);
  expect(await second.stop("SIGTERM")).toBe(0);
});

test("following an absent sandbox fails with a sentence", async () => {
  await expect(followSandbox(`http://localhost:${await freePort()}`, academyUrl)).rejects.toThrow("npm run sandbox");
});

async function jsonAt(address: string) {
  return JSON.parse(await (await fetch(address)).text());
}

/** The sandbox as its own process, as `npm run sandbox` starts it. */
async function startApart(dataDir: string, givenPort?: number) {
  const port = givenPort ?? (await freePort());
  const main = fileURLToPath(new URL("./main.ts", import.meta.url));
  const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, ACADEMY_URL: "http://localhost:9" };
  const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "inherit"] });
  const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = await Promise.race([child.stdout.take(1).toArray(), exited.then(() => ["it did not start"])]);
  expect(String(line).trim()).toBe(`Sandbox is ready: http://localhost:${port}/sandbox`);
  return {
    port,
    url: `http://localhost:${port}`,
    stop(signal: "SIGKILL" | "SIGTERM") {
      child.kill(signal);
      return exited;
    },
  };
}
