import Fastify from "fastify";
import { expect, test } from "vitest";
import { answerErrorsAsProblems } from "#server/http/problems.ts";

const well = async () => ({ well: true });
const fail = () => {
  throw new Error("select words from a_table_of_secrets");
};

test("an error in any part of a request is a plain problem answer, and the next request works [I16]", async () => {
  const hooks = ["onRequest", "preParsing", "preValidation", "preHandler", "preSerialization"] as const;
  const app = Fastify();
  answerErrorsAsProblems(app);
  for (const hook of hooks) {
    app.get(`/${hook}`, { [hook]: fail }, well);
    app.get(`/${hook}-later`, { [hook]: async () => fail() }, well);
  }
  app.get("/handler", fail);
  app.get("/handler-later", async () => fail());
  app.get("/nothing", () => Promise.reject(null));
  app.get("/well", well);
  const parts = [...hooks, "handler"].flatMap((part) => [`/${part}`, `/${part}-later`]);
  for (const path of [...parts, "/nothing"]) {
    const answer = await app.inject(path);
    expect(answer.statusCode, path).toBe(500);
    expect(answer.headers["content-type"], path).toContain("application/problem+json");
    expect(answer.json(), path).toMatchObject({ code: "internal", requestId: expect.any(String) });
    expect(answer.body, path).not.toContain("secrets");
  }
  expect((await app.inject("/well")).json()).toEqual({ well: true });
  await app.close();
});
