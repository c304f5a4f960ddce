import { PassThrough } from "node:stream";
import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { until } from "#test/until.ts";
import { limitAnonymousReads } from "./anonymous-reads.ts";

/** A server whose reads wait for `answer`; `started` has the clients of those that have begun. */
async function serverOfReads() {
  const app = Fastify({ trustProxy: true });
  const started: string[] = [];
  const answers: (() => void)[] = [];
  limitAnonymousReads(app, ({ headers }) => headers.cookie === undefined);
  app.get("/read", async (request) => {
    started.push(request.ip);
    await new Promise<void>((resolve) => answers.push(resolve));
    return {};
  });
  app.get("/film", (_request, reply) => {
    const film = new PassThrough();
    film.write("begins, and does not end");
    return reply.send(film);
  });
  const origin = await app.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => app.close());
  onTestFinished(() => app.server.closeAllConnections());
  const film = (client: string) => fetch(`${origin}/film`, { headers: { "x-forwarded-for": client } });
  const read = (client: string, more: RequestInit & { cookie?: string } = {}) =>
    fetch(`${origin}/read`, {
      headers: { "x-forwarded-for": client, ...(more.cookie && { cookie: more.cookie }) },
      ...more,
    });
  return { film, read, started, answerAll: () => answers.splice(0).forEach((answer) => void answer()) };
}

test("a client without a session has ten reads in flight, and its others wait for them", async () => {
  const { read, started, answerAll } = await serverOfReads();
  const aborted = new AbortController();
  const all = Array.from({ length: 100 }, () => read("192.0.2.1"));
  const given = read("192.0.2.1", { signal: aborted.signal }).catch(() => null);
  await until(async () => started.length >= 10);
  const other = read("192.0.2.2");
  const signedIn = Array.from({ length: 20 }, () => read("192.0.2.1", { cookie: "session=1" }));
  await until(async () => started.length >= 31);
  expect(started.filter((client) => client === "192.0.2.1")).toHaveLength(30);
  expect(started).toContain("192.0.2.2");
  aborted.abort();
  await given;
  const done = Promise.all([...all, ...signedIn, other]);
  await until(async () => {
    answerAll();
    return started.length >= 121;
  });
  answerAll();
  for (const { status } of await done) expect(status).toBe(200);
});

test("answers that are still read hold none of a client's other reads", async () => {
  const { film, read, started, answerAll } = await serverOfReads();
  const films = await Promise.all(Array.from({ length: 10 }, () => film("192.0.2.1")));
  const after = read("192.0.2.1");
  await until(async () => started.length === 1);
  answerAll();
  expect((await after).status).toBe(200);
  // Node closes the connection of an answer that nothing refers to.
  expect(films.map(({ status }) => status)).toEqual(films.map(() => 200));
});
