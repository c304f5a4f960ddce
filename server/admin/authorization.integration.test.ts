import { readdirSync } from "node:fs";
import { expect } from "vitest";
import { exportedLists, exportFormats, exportUrl } from "#contract/admin/admin.ts";
import { listAllPurchases, refundPurchase } from "#contract/admin/purchases.ts";
import { getStats } from "#contract/admin/statistics.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { sendUnchecked } from "#test/raw-requests.ts";
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
for (const list of exportedLists) {
  for (const format of exportFormats) calls.push({ method: "POST", path: exportUrl(list, format), body: "{}" });
}
expect(calls.length).toBeGreaterThan(40);

/** One read and one change. `test/roles.integration.test.ts` has every call. What opens one for others opens all. */
const sample = calls.filter(({ path }) => [listAllPurchases.path, refundPurchase.path].includes(path));

/** The statuses of these calls. */
async function answersTo(visitor: Visitor, headers: Record<string, string> = {}): Promise<number[]> {
  const statuses = new Set<number>();
  for (const { method, path, body } of sample) statuses.add((await visitor.send(method, path, body, headers)).status);
  return [...statuses];
}

test("no student may call an endpoint of administrators, whatever the account's state [Z01]", async () => {
  for (const role of ["new", "basic", "premium", "held", "suspended"]) {
    const student = await academy.visitor().signInAsDemo(`${role}@academy.test`);
    expect(await answersTo(student), role).toEqual([403]);
  }
});

test("an unconfirmed administrator's address gives no permission [A15]", async () => {
  const unproven = academy.visitor();
  await expect(unproven.signUpAtIssuer("unproven@example.test")).rejects.toThrow("confirm");
  expect((await unproven.call(getCurrentUser)).status).toBe(401);
  expect(await answersTo(unproven)).toEqual([401]);
});

test.each([
  { "x-forwarded-host": "localhost" },
  { "x-forwarded-for": "127.0.0.1", "x-real-ip": "::1", forwarded: "for=127.0.0.1;host=localhost;proto=https" },
  { "x-http-method-override": "GET", "x-method-override": "GET", "x-http-method": "GET" },
  { "x-original-url": "/healthz", "x-rewrite-url": "/healthz", "x-middleware-subrequest": "1" },
  { "x-user": "admin@academy.test", "x-forwarded-user": "admin@academy.test", authorization: "Basic YWRtaW46YWRtaW4=" },
] as Record<string, string>[])("%j opens nothing [Z03 Z04]", async (headers) => {
  const student = await academy.visitor().signInAsDemo("vip@academy.test");
  expect(await answersTo(academy.visitor(), headers)).toEqual([401]);
  expect(await answersTo(student, headers)).toEqual([403]);
});

test.each(["localhost", "localhost.", "127.0.0.1", "[::1]", "admin.localhost", "evil.example"])(
  "asked for as %s it is closed [Z03]",
  async (host) => {
    const { port } = new URL(academy.url);
    for (const path of ["/api/admin/users", "/api/admin/stats"]) {
      const { status } = await sendUnchecked(`http://127.0.0.1:${port}${path}`, { headers: { host } });
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

test("a refund sixteen minutes after the sign-in moves nothing; a new sign-in lets it through [A27]", async () => {
  const { purchaseId } = await academy.purchase("basic");
  const administrator = await academy.visitor().signInAtIssuer("admin@academy.test", "academy-demo");
  const refund = () => administrator.call(refundPurchase, { body: { purchaseId } });
  const countRefunds = async () =>
    (await academy.ledger()).filter(({ type, status }) => /refund/i.test(type) || /void/i.test(status)).length;
  const before = await countRefunds();

  await academy.advance("16m");
  expect(await refund()).toMatchObject({ status: 403, body: { code: "sign-in-again" } });
  // The issuer remembers the browser: coming back from it proves nothing.
  expect((await administrator.navigate("/api/login?returnTo=/admin")).url.pathname).toBe("/admin");
  expect(await refund()).toMatchObject({ status: 403, body: { code: "sign-in-again" } });
  expect(await countRefunds()).toBe(before);

  const path = "/api/login?again=true&returnTo=/admin%3Ftab%3Dpurchases";
  const landed = await administrator.typePassword("academy-demo", { path });
  expect(`${landed.url.pathname}${landed.url.search}`).toBe("/admin?tab=purchases");
  expect((await refund()).status).toBe(200);
  expect(await countRefunds()).toBe(before + 1);
});
