import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import Fastify, { type FastifyInstance } from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { answerErrorsAsProblems } from "#server/http/problems.ts";
import { openConnection } from "#test/raw-requests.ts";
import { createLoadShedder } from "./load-shedder.ts";

const limits = {
  inFlight: { perClient: 2, total: 3 },
  deferrable: { inFlight: 1, maxWaitMs: 0, alwaysAdmitted: 100 },
  incomplete: { perClient: 2, total: 3 },
  streamed: { perClient: 2, total: 4 },
};

/** More than the sockets of both ends take in. */
const page = Buffer.alloc(32 * 1024 ** 2);

/** A server whose answers to /slow are given by `answer`; the header `from` names the client. */
async function openServer(deferrable = limits.deferrable) {
  const waiting: (() => void)[] = [];
  const loadShedder = createLoadShedder({ ...limits, deferrable });
  const app: FastifyInstance = Fastify();
  loadShedder.limitRequests(
    app,
    ({ url }) => url === "/upload",
    ({ headers }) => String(headers.from),
  );
  answerErrorsAsProblems(app);
  for (const method of ["GET", "POST"] as const) {
    const slow = () => new Promise((resolve) => waiting.push(() => resolve("done")));
    for (const url of ["/slow", "/api/authorize-net/slow"]) app.route({ method, url, handler: slow });
    app.route({ method, url: "/quick", handler: async ({ body }) => ({ body }) });
  }
  app.post("/later", { config: { isDeferrable: true } }, async () => "noted");
  app.post(
    "/later/slow",
    { config: { isDeferrable: true } },
    () => new Promise((resolve) => waiting.push(() => resolve("noted"))),
  );
  for (const url of ["/healthz", "/api/authorize-net/accept-payment"]) app.get(url, async () => "well");
  app.get("/page", { config: { isFromMemory: true } }, async () => page);
  const piece = page.subarray(0, 64 * 1024);
  app.get("/file", async () => Readable.from(Array(page.length / piece.length).fill(piece)));
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    app.server.closeAllConnections();
    await app.close();
  });
  const json = { method: "POST", body: "{}", headers: { "content-type": "application/json" } };
  const get = (path: string, from: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, { ...init, headers: { from, ...init.headers } });
  return {
    loadShedder,
    waiting,
    get,
    post: (path: string, from: string) => get(path, from, json),
    /** Resolves when the answer has begun, of which no more is read. */
    async ask(path: string, from: string) {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      onTestFinished(() => void socket.destroy());
      socket.on("error", () => {}).write(`GET ${path} HTTP/1.1\r\nHost: x\r\nFrom: ${from}\r\n\r\n`);
      await once(socket, "readable");
      return socket;
    },
    async sendHalf(from: string) {
      const head = `POST /quick HTTP/1.1\r\nHost: x\r\nFrom: ${from}\r\nContent-Type: application/json\r\n`;
      const connection = await openConnection({ url }, `${head}Content-Length: 9\r\n\r\n{"a":`);
      onTestFinished(() => void connection.socket.destroy());
      return { finish: () => connection.socket.write('"b"}'), answer: () => connection.answer };
    },
  };
}

test("requests past a limit are shed at once, except probes and payments, and served again after an answer [I14]", async () => {
  const { get, post, waiting, loadShedder } = await openServer();
  const leaving = new AbortController();
  const slow = [get("/slow", "ada"), post("/slow", "ada")];
  await expect.poll(() => waiting.length).toBe(2);
  const tooMany = await get("/quick", "ada");
  expect([tooMany.status, tooMany.headers.get("retry-after")]).toEqual([429, "2"]);
  expect(loadShedder.isShedding()).toBe(false);

  const gone = get("/slow", "grace", { signal: leaving.signal }).catch(() => null);
  await expect.poll(() => waiting.length).toBe(3);
  const refused = await get("/quick", "edith");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"]);
  expect(await refused.json()).toMatchObject({ code: "unavailable", requestId: expect.any(String) });
  expect(loadShedder.isShedding()).toBe(true);
  for (const path of ["/healthz", "/api/authorize-net/accept-payment"])
    expect((await get(path, "ada")).status, path).toBe(200);

  // One client goes away, the others are answered: neither counts any more.
  leaving.abort();
  await gone;
  await expect.poll(async () => (await get("/quick", "edith")).status).toBe(200);
  for (const answer of waiting) answer();
  for (const answer of await Promise.all(slow)) expect(answer.status).toBe(200);
  await expect.poll(() => loadShedder.figures().inFlight).toBe(0);
  expect(loadShedder.figures().refused).toMatchObject({ client: 1 });
});

test("requests that are never shed have a limit of their own for each client [I14]", async () => {
  const { get, waiting } = await openServer();
  const payment = "/api/authorize-net/slow";
  const slow = [get(payment, "ada"), get(payment, "ada")];
  await expect.poll(() => waiting.length).toBe(2);
  expect((await get(payment, "ada")).status).toBe(429);
  expect((await get("/quick", "ada")).status).toBe(200);
  slow.push(get(payment, "grace"));
  await expect.poll(() => waiting.length).toBe(3);
  for (const end of waiting) end();
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200, 200]);
});

test("a client that does not read its answers takes no place from others [I14]", async () => {
  const { loadShedder, get, ask } = await openServer();
  for (let at = 0; at < limits.inFlight.total; at++) await ask("/page", "ada");
  expect((await get("/quick", "grace")).status).toBe(200);
  expect(loadShedder.isShedding()).toBe(false);
});

test("a client that reads none of its files keeps nobody out, and past a limit the one ends that is read least [I14]", async () => {
  const { loadShedder, get, ask } = await openServer();
  const sockets = [];
  for (let at = 0; at < limits.streamed.perClient; at++) sockets.push(await ask("/file", "ada"));
  expect((await get("/quick", "ada")).status).toBe(200);
  expect(loadShedder.figures().inFlight).toBe(0);
  const [read, unread] = sockets as [Socket, Socket];
  await readSome(read);
  const third = await ask("/file", "ada");
  await expect.poll(() => loadShedder.figures().refused.unread).toBe(1);
  const ended = async (socket: Socket) => (await once(socket.resume(), "close")) && socket.bytesRead;
  expect(await ended(unread)).toBeLessThan(page.length);
  third.destroy();
  await expect.poll(() => read.resume().bytesRead).toBeGreaterThan(page.length);
});

/** Half of what there is, and then no more. */
async function readSome(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.on("data", () => socket.bytesRead > page.length / 2 && resolve());
  await promise;
  socket.removeAllListeners("data").pause();
}

test("a deferrable request is shed, and its connection stays open", async () => {
  const { get, post, waiting, loadShedder } = await openServer();
  const note = () => post("/later", "ada");
  expect((await note()).status).toBe(200);
  await expect.poll(() => loadShedder.figures().inFlight).toBe(0);
  const slow = get("/slow", "grace");
  await expect.poll(() => waiting.length).toBe(1);
  const refused = await note();
  expect([refused.status, refused.headers.get("retry-after"), refused.headers.get("connection")]).toEqual([
    503,
    "2",
    "keep-alive",
  ]);
  expect((await get("/quick", "ada")).status).toBe(200);
  for (const answer of waiting) answer();
  await slow;
  await expect.poll(async () => (await note()).status).toBe(200);
});

test("deferrable requests are shed while many of them wait too long, however few requests are in flight", async () => {
  const { get, post, waiting, loadShedder } = await openServer({ inFlight: 3, maxWaitMs: 0, alwaysAdmitted: 2 });
  const slow = [post("/later/slow", "ada")];
  await expect.poll(() => waiting.length).toBe(1);
  // A single deferrable request may wait without any being shed.
  expect((await post("/later", "ada")).status).toBe(200);
  slow.push(post("/later/slow", "grace"));
  await expect.poll(() => waiting.length).toBe(2);
  expect((await post("/later", "edith")).status).toBe(503);
  expect((await get("/quick", "edith")).status).toBe(200);
  waiting.shift()?.();
  await slow[0];
  await expect.poll(async () => (await post("/later", "edith")).status).toBe(200);
  waiting.shift()?.();
  await slow[1];
  expect(loadShedder.isShedding()).toBe(false);
});

test("deferrable requests are admitted while the oldest has not waited too long", async () => {
  const { post, waiting } = await openServer({
    inFlight: 3,
    maxWaitMs: Number.POSITIVE_INFINITY,
    alwaysAdmitted: 0,
  });
  const slow = post("/later/slow", "ada");
  await expect.poll(() => waiting.length).toBe(1);
  expect((await post("/later", "grace")).status).toBe(200);
  waiting.shift()?.();
  expect((await slow).status).toBe(200);
});

test("an incomplete request is not in flight, and the oldest of too many is ended [I21]", async () => {
  const { get, sendHalf, loadShedder } = await openServer();
  const halves = [await sendHalf("ada"), await sendHalf("ada"), await sendHalf("ada")];
  await expect.poll(() => halves[0]?.answer()).toContain("HTTP/1.1 429");
  expect(loadShedder.figures()).toMatchObject({ inFlight: 0, incomplete: 2, refused: { unfinished: 1 } });
  expect((await get("/quick", "ada")).status).toBe(200);
  halves[2]?.finish();
  await expect.poll(() => halves[2]?.answer()).toContain('{"body":{"a":"b"}}');
  expect(halves[1]?.answer()).toBe("");
  expect(loadShedder.figures().incomplete).toBe(1);
});

test.each([65_535, 65_536, 70_000])(
  "a body of %i bytes is answered, with its length or in chunks [F03]",
  async (length) => {
    const { get } = await openServer();
    const text = JSON.stringify("x".repeat(length - 2));
    const chunks = () => new Blob([text]).stream();
    for (const body of [text, chunks()]) {
      const init = { method: "POST", body, headers: { "content-type": "application/json" }, duplex: "half" };
      expect((await get("/quick", "ada", init as RequestInit)).status).toBe(200);
    }
  },
);
