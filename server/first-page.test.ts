import cookie from "@fastify/cookie";
import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { href } from "#contract/addresses.ts";
import { viewerHeader } from "#contract/identity/identity.ts";
import { until } from "#test/until.ts";
import { firstPages } from "./first-page.ts";
import { createLoadShedder } from "./http/load-shedding/load-shedder.ts";
import { acceptCookies, sessionCookieName, sessionId } from "./identity/sessions/sessions.ts";

const site = { publicUrl: "https://academy.example" };
const secret = "the secret of this test, which is long enough";
const many = { perClient: 1000, total: 1000 };

/** A server with room for two first pages, whose API answers once `answerAll` was called. */
async function open(maxWaitMs = 60_000) {
  const app = Fastify();
  onTestFinished(() => app.close());
  await acceptCookies(app, [secret]);
  const { admitsMore } = createLoadShedder({
    inFlight: many,
    deferrable: { inFlight: 2, maxWaitMs: 0, alwaysAdmitted: 0 },
    incomplete: many,
    streamed: many,
  });
  /** `users`: whose the session is at each call, the last one from then on. */
  const life = { isDraining: false, closes: false, users: ["ada"] };
  const personalise = firstPages(app, {
    sessionOf: (request) => sessionId({ site }, request),
    admits: (_request, reply) => admitsMore("client", reply.raw),
    isDraining: () => life.isDraining,
    maxWaitMs,
  });
  const calls: string[] = [];
  const { promise: answer, resolve: answerAll } = Promise.withResolvers<void>();
  app.get("/api/*", async ({ url, headers }, reply) => {
    calls.push(url);
    await answer;
    const id = life.users.length > 1 ? life.users.shift() : life.users[0];
    return (headers[viewerHeader] ?? id) === id ? { id } : reply.code(401).send({});
  });
  app.get(href.dashboard(), async (request, reply) => {
    if (life.closes) await app.close();
    const page = { path: href.dashboard(), html: () => "<body></body>" };
    return (await personalise(request, reply, page)) ?? "shell";
  });
  const get = async (session: string, { by = secret, method = "GET" as "GET" | "HEAD" } = {}) => {
    const headers = { cookie: `${sessionCookieName(site)}=${encodeURIComponent(cookie.sign(session, by))}` };
    const { payload } = await app.inject({ method, url: href.dashboard(), headers });
    return payload.includes('id="seeds"') ? "replies" : payload;
  };
  return { get, calls, answerAll, life };
}

test("each session has one page made at a time, and past a limit the page is sent without replies [I14]", async () => {
  const { get, calls, answerAll } = await open();
  const ada = get("ada");
  await until(async () => calls.length === 1);
  expect(await get("ada")).toBe("shell");
  const grace = get("grace");
  await until(async () => calls.length === 2);
  expect(await get("edith")).toBe("shell");
  expect(calls).toHaveLength(2);
  answerAll();
  expect(await Promise.all([ada, grace])).toEqual(["replies", "replies"]);
  expect([await get("ada"), await get("edith")]).toEqual(["replies", "replies"]);
});

test("a forged cookie, HEAD, and a node that drains cost no call", async () => {
  const { get, calls, answerAll, life } = await open();
  answerAll();
  expect(await get("ada", { by: "another secret, which is long enough" })).toBe("shell");
  expect(await get("ada", { method: "HEAD" })).toBe("");
  life.isDraining = true;
  expect(await get("ada")).toBe("shell");
  expect(calls).toEqual([]);
});

test("after calls that took too long, pages do not wait for a while", async () => {
  const { get, calls, answerAll } = await open(1);
  expect(await get("ada")).toBe("shell");
  answerAll();
  expect(await get("grace")).toBe("shell");
  expect(calls).toHaveLength(1);
});

test("a page that is asked for while the server closes is sent without replies", async () => {
  const { get, life } = await open();
  life.closes = true;
  expect(await get("ada")).toBe("shell");
});

test("a page whose session becomes another user's while it is made is sent without replies [Z56]", async () => {
  const { get, answerAll, life } = await open();
  answerAll();
  life.users = ["the owner", "a student"];
  expect(await get("ada")).toBe("shell");
  expect(await get("ada")).toBe("replies");
});
