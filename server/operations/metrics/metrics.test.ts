import Fastify from "fastify";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { healthRoutes } from "#server/http/health.ts";
import { createLoadShedder } from "#server/http/load-shedding/load-shedder.ts";
import { limitUploads } from "#server/http/load-shedding/uploads.ts";
import { answerErrorsAsProblems } from "#server/http/problems.ts";
import { measureRequests } from "./metrics.ts";

test("replies of a busy or stopping server don't count as server errors [I20]", async () => {
  const none = { perClient: 0, total: 0 };
  const deferrable = { inFlight: 0, maxWaitMs: 0, alwaysAdmitted: 0 };
  const loadShedder = createLoadShedder({
    inFlight: { perClient: 9, total: 0 },
    deferrable,
    incomplete: none,
    streamed: none,
  });
  const register = new Registry();
  const app = Fastify();
  measureRequests(app, register);
  answerErrorsAsProblems(app);
  loadShedder.limitRequests(
    app,
    () => false,
    () => "ada",
  );
  limitUploads(app, { max: 0, personOf: () => "ada" });
  const database = { answers: async () => true, clockSkew: () => null, close: () => {} };
  healthRoutes(app, { stage: "draining", files: "present" }, database, loadShedder);
  app.post("/note", async () => "noted");
  app.get("/api/authorize-net/broken", async () => Promise.reject(new Error("broken")));
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const statusOf = async (path: string, init?: RequestInit) => (await fetch(`${url}${path}`, init)).status;

  expect(await statusOf("/note", { method: "POST" })).toBe(503);
  expect(
    (await app.inject({ method: "POST", url: "/note", headers: { "content-type": "multipart/form-data" } })).statusCode,
  ).toBe(503);
  expect(await statusOf("/readyz")).toBe(503);
  expect(await statusOf("/api/authorize-net/broken")).toBe(500);
  await app.close();
  const metrics = await register.metrics();
  expect(metrics).toContain('academy_http_answers_total{status="busy"} 3');
  expect(metrics).toContain('academy_http_answers_total{status="5xx"} 1');
});
