import { once } from "node:events";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { answerErrorsAsProblems } from "#server/http/problems.ts";
import { limitUploads } from "./uploads.ts";

test("uploads are limited by person and in total before a byte is read, and an ended one frees its slot", async () => {
  let reading = 0;
  const app = Fastify();
  app.addContentTypeParser("multipart/form-data", (_request, body, done) => {
    reading += 1;
    body.resume().once("end", () => done(null));
  });
  answerErrorsAsProblems(app);
  limitUploads(app, { max: 2, personOf: ({ headers }) => String(headers.from) });
  app.post("/upload", async () => "taken in");
  app.get("/upload", async () => "what was sent");
  await app.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    app.server.closeAllConnections();
    await app.close();
  });
  const { port } = app.server.address() as AddressInfo;
  const headersOf = (from: string) => ({ from, "content-type": "multipart/form-data; boundary=b" });
  const begin = (from: string) => {
    const upload = request({ port, path: "/upload", method: "POST", headers: headersOf(from) });
    upload.on("error", () => {}).flushHeaders();
    return upload;
  };
  const send = async (from: string) =>
    (await fetch(`http://127.0.0.1:${port}/upload`, { method: "POST", headers: headersOf(from), body: "x" })).status;

  const first = begin("ada");
  await expect.poll(() => reading).toBe(1);
  expect(await send("ada")).toBe(409);
  expect(await send("grace")).toBe(200);
  const second = begin("grace");
  await expect.poll(() => reading).toBe(3);
  expect(await send("edith")).toBe(503);
  expect(reading).toBe(3);
  expect((await fetch(`http://127.0.0.1:${port}/upload`, { headers: { from: "ada" } })).status).toBe(200);

  first.end();
  const [answer] = await once(first, "response");
  expect(answer.resume().statusCode).toBe(200);
  second.destroy();
  await expect.poll(async () => [await send("ada"), await send("grace"), await send("edith")]).toEqual([200, 200, 200]);
});
