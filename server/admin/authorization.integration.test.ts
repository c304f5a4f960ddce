import { readdirSync } from "node:fs";
import { request } from "node:http";
import { expect } from "vitest";
import { exportedLists, exportUrl } from "#contract/admin/admin.ts";
import { getStats } from "#contract/admin/statistics.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { academyOfFile } from "#test/fixtures.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, test } = await academyOfFile({ ADMIN_EMAILS: "admin@academy.test,unproven@example.test" });
/** Every call of administrators: those of their folder of the contract, and the files to download. */
const calls: { readonly method: string; readonly path: string; readonly body: string | undefined }[] = [];

const folder = new URL("../../contract/admin/", import.meta.url);
for (const file of readdirSync(folder)) {
  for (const value of Object.values(await import(new URL(file, folder).href)) as Partial<Endpoint>[]) {
    if (!value?.method || !value.path) continue;
    const path = value.path.replaceAll(/\{\w+\}/g, "none");
    calls.push({ method: value.method, path, body: value.method === "GET" ? undefined : "{}" });
  }
}
for (const list of exportedLists) calls.push({ method: "GET", path: exportUrl(list), body: undefined });
expect(calls.length).toBeGreaterThan(40);

async function answersTo(visitor: Visitor, headers: Record<string, string> = {}): Promise<Map<number, string[]>> {
  const answers = new Map<number, string[]>();
  for (const { method, path, body } of calls) {
    const { status } = await visitor.send(method, path, body, headers);
    answers.set(status, [...(answers.get(status) ?? []), `${method} ${path}`]);
  }
  return answers;
}

test("visitors, students and held students may call no endpoint of administrators [Z01]", async () => {
  expect((await answersTo(academy.visitor())).get(404)).toBeUndefined();
  expect([...(await answersTo(academy.visitor())).keys()]).toEqual([401]);
  for (const role of ["new", "vip", "held", "suspended"]) {
    const student = await academy.visitor().signInAsDemo(`${role}@academy.test`);
    expect([...(await answersTo(student)).keys()], role).toEqual([403]);
  }
});

test("an unconfirmed administrator's address gives no permission [A15]", async () => {
  const unproven = academy.visitor();
  await expect(unproven.signUpAtIssuer("unproven@example.test")).rejects.toThrow("confirm");
  expect((await unproven.call(getCurrentUser)).status).toBe(401);
  expect([...(await answersTo(unproven)).keys()]).toEqual([401]);
});

test.each([
  { "x-forwarded-host": "localhost" },
  { "x-forwarded-for": "127.0.0.1", "x-real-ip": "::1", forwarded: "for=127.0.0.1;host=localhost;proto=https" },
  { "x-http-method-override": "GET", "x-method-override": "GET", "x-http-method": "GET" },
  { "x-original-url": "/healthz", "x-rewrite-url": "/healthz", "x-middleware-subrequest": "1" },
  { "x-user": "admin@academy.test", "x-forwarded-user": "admin@academy.test", authorization: "Basic YWRtaW46YWRtaW4=" },
] as Record<string, string>[])("%j opens nothing [Z03 Z04]", async (headers) => {
  const student = await academy.visitor().signInAsDemo("vip@academy.test");
  expect([...(await answersTo(academy.visitor(), headers)).keys()]).toEqual([401]);
  expect([...(await answersTo(student, headers)).keys()]).toEqual([403]);
});

test.each(["localhost", "localhost.", "127.0.0.1", "[::1]", "admin.localhost", "evil.example"])(
  "asked for as %s it is closed [Z03]",
  async (host) => {
    const { port } = new URL(academy.url);
    for (const path of ["/api/admin/users", "/api/admin/stats", exportUrl("users")]) {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        request({ host: "127.0.0.1", port, path, headers: { host } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on("error", reject)
          .end();
      });
      expect(status, path).toBeGreaterThanOrEqual(300);
      expect(status, path).not.toBe(500);
    }
  },
);

test("changes are refused from other sites and by GET [A20 A21]", async () => {
  const admin = await academy.visitor().signInAsDemo("admin@academy.test");
  for (const { method, path, body } of calls.filter((call) => call.method !== "GET")) {
    const answer = await admin.send(method, path, body, { origin: "https://evil.example" });
    expect(answer.status, path).toBe(403);
    // Some addresses are read and written: reading them is a call of its own.
    if (calls.some((call) => call.method === "GET" && call.path === path)) continue;
    expect([404, 405], path).toContain((await admin.send("GET", path)).status);
  }
  expect((await admin.call(getStats)).status).toBe(200);
});
