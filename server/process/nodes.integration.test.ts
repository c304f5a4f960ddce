import { expect, test } from "vitest";
import { sendContactMessage } from "#contract/contact.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { openAcademy, type RunningAcademy } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { forFile } from "#test/fixtures.ts";
import { answerTo } from "#test/raw-requests.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

const oldSecret = "the secret that every node began with";
const newSecret = "the secret that takes the old one's place";
const bothSecrets = `${newSecret}, ${oldSecret}`;
const failures = new URL("../../test/stand-ins/unhandled-errors.ts", import.meta.url);

const first = await forFile(openAcademy({ SESSION_SECRET: oldSecret, NODE_OPTIONS: `--import ${failures}` }));
/** Knows the new secret already, and is behind a proxy of this machine. */
const second = await forFile(
  openAcademyInProcess({ SESSION_SECRET: bothSecrets, TRUST_PROXY: "loopback" }, first.database),
);

const statusAt = async (node: RunningAcademy, person: Visitor) =>
  (await person.copyAt(node).send("GET", "/api/auth/user")).status;

test("a rotation of the secret signs nobody out, and later the old secret's cookies are refused [I18]", async () => {
  const early = await first.visitor().signUp();
  const late = await second.visitor().signUp();
  expect([await statusAt(first, early), await statusAt(second, early), await statusAt(second, late)]).toEqual([
    200, 200, 200,
  ]);
  // Of the two secrets the first node knows one alone.
  expect(await statusAt(first, late)).toBe(401);
});

test("uses on two nodes count together, by IPv6 network, and a forged address starts no new count [H06]", async () => {
  let sent = 0;
  const write = (node: RunningAcademy, forwardedFor: string | null) => {
    const body = { name: "Nora Quill", email: "nora@example.test", message: `message ${++sent}` };
    const headers = { "x-forwarded-for": forwardedFor, "x-real-ip": `192.0.2.${sent}` };
    return node.visitor().call(sendContactMessage, { body, headers });
  };
  for (let times = 1; times <= 5; times++) {
    expect((await write(first, `198.51.100.${times}`)).status).toBe(200);
    expect((await write(second, null)).status).toBe(200);
  }
  for (const refused of [await write(first, "198.51.100.99"), await write(second, null)]) {
    expect(refused).toMatchObject({ status: 429, body: { code: "too-many-requests" } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  // The proxy adds the address that it saw to whatever the visitor said.
  for (const networkOf of [() => "203.0.113.7", (host: number) => `2001:db8:7:7::${host}`]) {
    for (let times = 1; times <= 10; times++) {
      expect((await write(second, `198.51.100.${times}, ${networkOf(times)}`)).status).toBe(200);
    }
    expect((await write(second, `198.51.100.99, ${networkOf(11)}`)).status).toBe(429);
  }
  expect((await write(second, "2001:db8:7:8::1")).status).toBe(200);
});

/** `@` stands for the host that the node answers. */
const smuggled = "GET /healthz HTTP/1.1\r\nHost: @\r\n\r\n";
const post = "POST /api/contact HTTP/1.1\r\nHost: @\r\n";

test.each([
  ["a length and chunks", `${post}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
  [
    "chunks and a length",
    `${post}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n2c\r\n${smuggled}\r\n0\r\n\r\n`,
  ],
  ["two codings", `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n${smuggled}`],
  ["a coding after chunks", `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`],
  ["a coding that is none", `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`],
  ["two lengths", `${post}Content-Length: 3\r\nContent-Length: 0\r\n\r\nabc${smuggled}`],
  ["a list of lengths", `${post}Content-Length: 0, 3\r\n\r\n${smuggled}`],
  ["a length with a sign", `${post}Content-Length: +0\r\n\r\n${smuggled}`],
  ["a space before the colon", `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`],
  ["line feeds alone", smuggled.replaceAll("\r", "")],
  ["one line feed alone", `GET /healthz HTTP/1.1\r\nHost: @\nX: y\r\n\r\n`],
  ["a folded line", `GET /healthz HTTP/1.1\r\nHost: @\r\nX: a\r\n Transfer-Encoding: chunked\r\n\r\n`],
  ["line feeds between chunks", `${post}Transfer-Encoding: chunked\r\n\r\n0\n\n${smuggled}`],
  ["a chunk's length that is none", `${post}Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n${smuggled}`],
])(
  "a request that two programs could read differently is refused and ends the connection: %s [H07]",
  async (_how, bytes) => {
    const answer = await answerTo(first, bytes.replaceAll("@", new URL(first.url).host));
    for (const [status] of answer.matchAll(/HTTP\/1\.1 \d+/g)) expect(status).toMatch(/ 40[03]$/);
    expect(answer).not.toContain('"alive"');
  },
);

test("an unhandled rejection is logged and the process continues [I16]", async () => {
  const { pid } = first;
  process.kill(pid, "SIGUSR2");
  await logged("a stray rejection");
  expect((await first.visitor().send("GET", "/readyz")).status).toBe(200);
  expect(first.pid).toBe(pid);
});

test("an uncaught error is logged, requests in flight finish, and the process exits with 1 [I16]", async () => {
  const buyer = await first.visitor().signUp();
  const body = await buyer.paymentFor("premium");
  await first.nextCharges("slow:500");
  const answer = buyer.call(acceptPayment, { body });
  await until(() => buyer.purchase());
  process.kill(first.pid, "SIGHUP");
  await logged("a stray exception");
  expect(await answer).toMatchObject({ status: 200, body: { success: true } });
  expect(await first.stop()).toBe(1);
});

function logged(text: string): Promise<true> {
  return until(async () => first.log.some((line) => line.includes(text)));
}
