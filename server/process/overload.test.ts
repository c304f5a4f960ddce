import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { shedOverload } from "./overload.ts";

test("I14 who comes while enough is under way is turned away at once, but for probes and payments, and taken in when there is room", async () => {
  const waiting: ServerResponse[] = [];
  const shed = shedOverload({ "x-content-type-options": "nosniff" }, 2);
  const server = createServer((request, response) => {
    if (shed(request, response)) return;
    if (request.url === "/slow") waiting.push(response);
    else response.end("well");
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const get = (path: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init);

  const leaving = new AbortController();
  const slow = [get("/slow"), get("/slow", { signal: leaving.signal }).catch(() => null)];
  await expect.poll(() => waiting.length, { timeout: 30_000 }).toBe(2);
  const refused = await get("/api/course-pricing");
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("2");
  expect(refused.headers.get("x-content-type-options")).toBe("nosniff");
  expect(refused.headers.get("content-type")).toContain("application/problem+json");
  expect(await refused.json()).toMatchObject({ status: 503, code: "unavailable", requestId: expect.any(String) });
  for (const path of ["/healthz", "/readyz", "/api/authorize-net/accept-payment"]) {
    expect((await get(path)).status, path).toBe(200);
  }

  // One is answered, the other one's client goes away: both make room.
  waiting[0]?.end();
  leaving.abort();
  await Promise.all(slow);
  await expect.poll(async () => (await get("/api/course-pricing")).status, { timeout: 30_000 }).toBe(200);
  const [one, another] = [get("/slow"), get("/slow")];
  await expect.poll(() => waiting.length, { timeout: 30_000 }).toBe(4);
  for (const response of waiting) response.end();
  expect([(await one).status, (await another).status]).toEqual([200, 200]);
});
