import { readdirSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportedLists, exportUrl } from "#contract/admin/admin.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";
import type { Visitor } from "#test/visitor.ts";

const roles = ["visitor", "new", "basic", "premium", "vip", "held", "suspended", "coach", "admin"] as const;
type Role = (typeof roles)[number];
type Expected = number | Partial<Record<Role, number>>;

const signedIn = { visitor: 401 };
const everyone = {};
const notThere = 404;
const refusedInput = {
  visitor: 401,
  new: 400,
  basic: 400,
  premium: 400,
  vip: 400,
  held: 400,
  suspended: 400,
  coach: 400,
  admin: 400,
};
const administrators = {
  visitor: 401,
  new: 403,
  basic: 403,
  premium: 403,
  vip: 403,
  held: 403,
  suspended: 403,
  coach: 403,
};
const coaches = { visitor: 401, new: 403, basic: 403, premium: 403, vip: 403, held: 403, suspended: 403, admin: 403 };
const lifetime = {
  visitor: 401,
  new: 403,
  basic: 403,
  premium: 403,
  held: 403,
  suspended: 403,
  coach: 403,
  admin: 403,
};
const withGroups = { visitor: 401, new: 403, basic: 403, held: 403, suspended: 403, coach: 403, admin: 403 };

/** Visitors are told to sign in, and everybody else is refused with this status. */
function allRefused(status: number): Expected {
  return Object.fromEntries(roles.map((role) => [role, role === "visitor" ? 401 : status]));
}

/** Who may call what: 200, but for the roles named. An endpoint that is missing here fails the test below. */
const table: Readonly<Record<string, { expect: Expected; params?: Record<string, string>; body?: unknown }>> = {
  "GET /api/auth/user": { expect: signedIn },
  "GET /api/academy": { expect: everyone },
  "GET /api/communities": { expect: everyone },
  "GET /api/copy": { expect: everyone },
  "GET /api/course-pricing": { expect: everyone },
  "POST /api/contact": {
    body: { name: "N", email: "n@example.test", message: "M" },
    expect: everyone,
  },
  "POST /api/proxy-check": { body: { token: "none" }, expect: notThere },
  "GET /api/offer": { expect: everyone },
  "GET /api/claims": { expect: everyone },
  "GET /api/catalogue": { expect: everyone },
  "GET /api/catalogue/search": { expect: everyone },
  "GET /api/authorize-net/config": { expect: everyone },
  "PUT /api/user/profile": {
    body: { firstName: "Ada", lastName: "Shelf", phone: "", location: "", bio: "" },
    expect: signedIn,
  },
  "POST /api/user/upload-profile-image": { expect: allRefused(415) },
  "DELETE /api/user/profile-image": { expect: signedIn },
  "GET /api/profile-images/{name}": { params: { name: "none" }, expect: allRefused(404) },
  "GET /api/user/sessions": { expect: signedIn },
  "DELETE /api/user/sessions/{id}": { params: { id: "none" }, expect: allRefused(404) },
  "POST /api/user/sessions/end-others": { expect: signedIn },
  "POST /api/user/confirmation-mail": { expect: signedIn },
  // The plan of another tier: nobody is to be shown a total here.
  "POST /api/checkout/quote": { body: { tier: "vip", priceId: "basic_monthly" }, expect: allRefused(409) },
  "GET /api/user/payments": { expect: signedIn },
  "GET /api/user/receipts/{id}": { params: { id: "none" }, expect: allRefused(404) },
  "GET /api/user/receipts/{id}/pdf": { params: { id: "none" }, expect: allRefused(404) },
  "GET /api/user/export": { expect: signedIn },
  // Input that is refused: nobody is to be deleted here.
  "DELETE /api/user": { body: { none: true }, expect: allRefused(400) },
  "GET /api/resources": { expect: { visitor: 401, held: 403, suspended: 403 } },
  "GET /api/download/{resourceId}": {
    params: { resourceId: "none" },
    expect: {
      visitor: 401,
      new: 404,
      basic: 404,
      premium: 404,
      vip: 404,
      held: 403,
      suspended: 403,
      coach: 404,
      admin: 404,
    },
  },
  "GET /api/admin/checklist": { expect: administrators },
  "POST /api/admin/settings/picture": { expect: { ...administrators, admin: 415 } },
  "GET /api/upload-resource": { expect: administrators },
  "POST /api/upload-resource": { expect: { ...administrators, admin: 415 } },
  "PUT /api/resources/{id}": {
    params: { id: "none" },
    body: { moduleId: "module-1", lessonId: null, title: "T", description: null, requiredTier: "basic" },
    expect: { ...administrators, admin: 404 },
  },
  "DELETE /api/resources/{id}": { params: { id: "none" }, expect: { ...administrators, admin: 404 } },
  "GET /api/coaching": { expect: signedIn },
  "GET /api/coaching/slots": { expect: lifetime },
  "POST /api/coaching/bookings": { body: {}, expect: refusedInput },
  "GET /api/coaching/bookings/{id}": { params: { id: "none" }, expect: allRefused(404) },
  "GET /api/coaching/bookings/{id}.ics": { params: { id: "none" }, expect: allRefused(404) },
  "POST /api/coaching/bookings/{id}/move": { params: { id: "none" }, body: {}, expect: refusedInput },
  "POST /api/coaching/bookings/{id}/cancel": { params: { id: "none" }, body: {}, expect: allRefused(404) },
  "POST /api/coaching/bookings/{id}/join": { params: { id: "none" }, body: {}, expect: { ...lifetime, vip: 404 } },
  "POST /api/coaching/bookings/{id}/contest": {
    params: { id: "none" },
    body: { text: "It was held" },
    expect: allRefused(404),
  },
  "PUT /api/coaching/time-zone": { body: { timeZone: "Europe/Berlin" }, expect: signedIn },
  "POST /api/coaching/calendar": { body: {}, expect: signedIn },
  "DELETE /api/coaching/calendar": { expect: signedIn },
  "PUT /api/live/{id}/seat": { params: { id: "none" }, body: {}, expect: { ...withGroups, premium: 404, vip: 404 } },
  "DELETE /api/live/{id}/seat": { params: { id: "none" }, expect: allRefused(404) },
  "POST /api/live/{id}/join": { params: { id: "none" }, body: {}, expect: { ...withGroups, premium: 404, vip: 404 } },
  "GET /api/live/{id}/recording": { params: { id: "none" }, expect: { ...withGroups, premium: 404, vip: 404 } },
  "GET /api/coach": { expect: coaches },
  "PUT /api/coach/settings": { body: {}, expect: { ...coaches, coach: 400 } },
  "GET /api/coach/bookings/{id}": { params: { id: "none" }, expect: { ...coaches, coach: 404 } },
  "POST /api/coach/bookings/{id}/join": { params: { id: "none" }, body: {}, expect: { ...coaches, coach: 404 } },
  "POST /api/coach/bookings/{id}/cancel": { params: { id: "none" }, body: {}, expect: { ...coaches, coach: 404 } },
  "POST /api/coach/bookings/{id}/mark": {
    params: { id: "none" },
    body: { as: "held" },
    expect: { ...coaches, coach: 404 },
  },
  "PUT /api/coach/bookings/{id}/summary": {
    params: { id: "none" },
    body: { summary: "S" },
    expect: { ...coaches, coach: 404 },
  },
  "POST /api/coach/live/{id}/join": { params: { id: "none" }, body: {}, expect: { ...coaches, coach: 404 } },
  "GET /api/admin/coaching": { expect: administrators },
  "GET /api/admin/coaching/ahead": { expect: administrators },
  "GET /api/admin/coaching/students/{id}": { params: { id: "none" }, expect: { ...administrators, admin: 404 } },
  "POST /api/admin/coaching/coaches": { body: {}, expect: { ...administrators, admin: 400 } },
  "PUT /api/admin/coaching/coaches/{id}": {
    params: { id: "none" },
    body: {},
    expect: { ...administrators, admin: 400 },
  },
  "POST /api/admin/coaching/live": { body: {}, expect: { ...administrators, admin: 400 } },
  "PUT /api/admin/coaching/live/{id}": { params: { id: "none" }, body: {}, expect: { ...administrators, admin: 400 } },
  "POST /api/admin/coaching/live/{id}/cancel": {
    params: { id: "none" },
    body: { reason: "none" },
    expect: { ...administrators, admin: 404 },
  },
  "POST /api/admin/coaching/live/{id}/recording": {
    params: { id: "none" },
    body: { videoId: "youtube:dQw4w9WgXcQ", seconds: 60, reason: "none" },
    expect: { ...administrators, admin: 404 },
  },
  "POST /api/admin/coaching/bookings": { body: {}, expect: { ...administrators, admin: 400 } },
  "POST /api/admin/coaching/bookings/{id}/move": {
    params: { id: "none" },
    body: {},
    expect: { ...administrators, admin: 400 },
  },
  "POST /api/admin/coaching/bookings/{id}/cancel": {
    params: { id: "none" },
    body: { reason: "none" },
    expect: { ...administrators, admin: 404 },
  },
  "POST /api/admin/coaching/bookings/{id}/return": {
    params: { id: "none" },
    body: { reason: "none" },
    expect: { ...administrators, admin: 404 },
  },
  "GET /api/course-access": { expect: signedIn },
  "GET /api/user/purchases": { expect: signedIn },
  "GET /api/purchases": { expect: signedIn },
  "GET /api/user/progress": { expect: signedIn },
  "GET /api/lessons/{lessonId}/playback": {
    params: { lessonId: "lesson-1-2" },
    expect: { visitor: 401, new: 403, held: 403, suspended: 403, coach: 403, admin: 403 },
  },
  "GET /api/modules/{moduleId}/intro/playback": {
    params: { moduleId: "module-1" },
    // For whom the module opens: it has none.
    expect: { ...administrators, admin: 403, basic: 404, premium: 404, vip: 404 },
  },
  "POST /api/user/progress": {
    body: { notes: [{ lessonId: "lesson-1-2", position: 1 }] },
    expect: { visitor: 401, new: 403, held: 403, suspended: 403, coach: 403, admin: 403 },
  },
  "PUT /api/user/progress/{lessonId}": {
    params: { lessonId: "lesson-1-2" },
    body: { position: 1 },
    expect: { visitor: 401, new: 403, held: 403, suspended: 403, coach: 403, admin: 403 },
  },
  "GET /api/user/subscription": { expect: signedIn },
  // A body that neither takes: who may call is decided first, and nobody's subscription changes here.
  "POST /api/user/subscription/cancel": { body: { none: true }, expect: refusedInput },
  "POST /api/user/subscription/resume": { body: { none: true }, expect: refusedInput },
  "POST /api/user/payment-method": { body: {}, expect: refusedInput },
  "POST /api/payment-method/link": { body: { token: "x".repeat(43) }, expect: notThere },
  "POST /api/payment-method/link/card": {
    body: {
      token: "x".repeat(43),
      opaqueDataDescriptor: "none",
      opaqueDataValue: "none",
      customerName: "Nobody",
    },
    expect: notThere,
  },
  "GET /api/admin/reconciliation": { expect: administrators },
  "POST /api/admin/reconciliation/run": { body: {}, expect: administrators },
  "POST /api/admin/reconciliation/repair": {
    body: { discrepancyId: "none" },
    expect: { ...administrators, admin: 404 },
  },
  "GET /api/admin/renewals": { expect: administrators },
  "POST /api/admin/renewals/resume": { body: {}, expect: { ...administrators, admin: 409 } },
  "GET /api/admin/stats": { expect: administrators },
  "GET /api/admin/users": { expect: administrators },
  "GET /api/admin/users/count": { expect: administrators },
  "GET /api/admin/purchases": { expect: administrators },
  "GET /api/admin/purchases/count": { expect: administrators },
  "GET /api/admin/contacts": { expect: administrators },
  "GET /api/admin/contacts/count": { expect: administrators },
  "GET /api/admin/money": { expect: administrators },
  "GET /api/admin/learning": { expect: administrators },
  "GET /api/admin/audit": { expect: administrators },
  "GET /api/admin/audit/count": { expect: administrators },
  "GET /api/admin/content": { expect: administrators },
  "GET /api/admin/coupons": { expect: administrators },
  "POST /api/admin/coupons/create": { body: {}, expect: { ...administrators, admin: 400 } },
  "PUT /api/admin/coupons/{code}": { params: { code: "NONE" }, body: {}, expect: { ...administrators, admin: 400 } },
  "POST /api/admin/coupons/{code}/end": {
    params: { code: "NONE" },
    body: {},
    expect: { ...administrators, admin: 404 },
  },
  "POST /api/admin/coupons/{code}/resume": {
    params: { code: "NONE" },
    body: {},
    expect: { ...administrators, admin: 404 },
  },
  "GET /api/admin/users/{userId}/correspondence": {
    params: { userId: "none" },
    expect: { ...administrators, admin: 404 },
  },
  "POST /api/admin/users/{userId}/mails": {
    params: { userId: "none" },
    body: { subject: "S", text: "T" },
    expect: { ...administrators, admin: 404 },
  },
  "POST /api/admin/users/{userId}/notes": {
    params: { userId: "none" },
    body: { text: "T" },
    expect: { ...administrators, admin: 404 },
  },
  "DELETE /api/admin/users/{userId}/notes/{noteId}": {
    params: { userId: "none", noteId: "none" },
    expect: { ...administrators, admin: 404 },
  },
  "GET /api/user/invitation": { expect: signedIn },
  "POST /api/user/invitation/accept": { body: {}, expect: allRefused(404) },
  "GET /api/admin/invitations": { expect: administrators },
  // Somebody with an account: nobody is to be mailed here.
  "POST /api/admin/invitations": {
    body: { email: "vip@academy.test", tier: null },
    expect: { ...administrators, admin: 409 },
  },
  "DELETE /api/admin/invitations/{id}": { params: { id: "none" }, expect: { ...administrators, admin: 404 } },
  "GET /api/user/announcements": { expect: signedIn },
  "PUT /api/user/announcements": { body: { wanted: true }, expect: signedIn },
  "GET /api/admin/announcements": { expect: administrators },
  // Input that is refused, or an id of none: nothing is to be written or sent here.
  "POST /api/admin/announcements": { body: {}, expect: { ...administrators, admin: 400 } },
  "PUT /api/admin/announcements/{id}": { params: { id: "none" }, body: {}, expect: { ...administrators, admin: 400 } },
  "DELETE /api/admin/announcements/{id}": { params: { id: "none" }, expect: { ...administrators, admin: 404 } },
  // Without an audience.
  "GET /api/admin/audience": { expect: { ...administrators, admin: 400 } },
  "POST /api/admin/announcements/{id}/test": {
    params: { id: "none" },
    body: {},
    expect: { ...administrators, admin: 404 },
  },
  "POST /api/admin/announcements/{id}/send": {
    params: { id: "none" },
    body: { recipients: 1 },
    expect: { ...administrators, admin: 404 },
  },
  "POST /api/admin/announcements/{id}/pause": {
    params: { id: "none" },
    body: {},
    expect: { ...administrators, admin: 404 },
  },
  "POST /api/admin/announcements/{id}/resume": {
    params: { id: "none" },
    body: {},
    expect: { ...administrators, admin: 404 },
  },
  "POST /api/admin/announcements/{id}/stop": {
    params: { id: "none" },
    body: {},
    expect: { ...administrators, admin: 404 },
  },
  "GET /api/admin/claims": { expect: administrators },
  // Input that is refused, or nothing to change: the pages are to stay as they are.
  "POST /api/admin/claims/withdraw": { body: { only: ["none"] }, expect: { ...administrators, admin: 404 } },
  "POST /api/admin/claims/restore": { body: { only: ["none"] }, expect: { ...administrators, admin: 404 } },
  "POST /api/admin/claims/records": { body: {}, expect: { ...administrators, admin: 400 } },
  "DELETE /api/admin/claims/records/{id}": { params: { id: "none" }, expect: { ...administrators, admin: 404 } },
  "GET /api/admin/users/{userId}": { params: { userId: "none" }, expect: { ...administrators, admin: 404 } },
  "GET /api/admin/receipts/{id}/pdf": { params: { id: "none" }, expect: { ...administrators, admin: 404 } },
  "GET /api/admin/purchases/{purchaseId}": {
    params: { purchaseId: "none" },
    expect: { ...administrators, admin: 404 },
  },
  "GET /api/admin/purchases/{purchaseId}/refund": {
    params: { purchaseId: "none" },
    expect: { ...administrators, admin: 404 },
  },
  "GET /api/admin/contacts/{contactId}": { params: { contactId: "none" }, expect: { ...administrators, admin: 404 } },
  "POST /api/admin/cancel-subscription": {
    body: { userId: "none", subscriptionId: "none" },
    expect: { ...administrators, admin: 404 },
  },
  "POST /api/admin/hold-account": {
    body: { userId: "none", subscriptionId: "none" },
    expect: { ...administrators, admin: 404 },
  },
  "POST /api/admin/reactivate-account": { body: { userId: "none" }, expect: { ...administrators, admin: 404 } },
  "POST /api/admin/cancel-user-subscription": { body: { userId: "none" }, expect: { ...administrators, admin: 404 } },
  "POST /api/admin/delete-user-account": { body: { userId: "none" }, expect: { ...administrators, admin: 404 } },
  "POST /api/admin/end-user-sessions": { body: { userId: "none" }, expect: { ...administrators, admin: 404 } },
  "POST /api/admin/update-user-tier": {
    body: { userId: "none", newTier: "vip" },
    expect: { ...administrators, admin: 404 },
  },
  "POST /api/admin/suspend-account": {
    body: { userId: "none", reason: "none" },
    expect: { ...administrators, admin: 404 },
  },
  "POST /api/admin/record-dispute": {
    body: { purchaseId: "none", reason: "the bank says so" },
    expect: { ...administrators, admin: 404 },
  },
  "POST /api/admin/refund-purchase": { body: { purchaseId: "none" }, expect: { ...administrators, admin: 404 } },
  "POST /api/admin/reply-to-contact": {
    body: { contactId: "none", text: "none" },
    expect: { ...administrators, admin: 404 },
  },
  "POST /api/admin/mark-contact": {
    body: { contactId: "none", state: "open" },
    expect: { ...administrators, admin: 404 },
  },
  "POST /api/admin/delete-contact": { body: { contactId: "none" }, expect: { ...administrators, admin: 404 } },
  "PUT /api/admin/content/modules/{id}": {
    params: { id: "none" },
    body: {},
    expect: { ...administrators, admin: 400 },
  },
  "PUT /api/admin/content/lessons/{id}": {
    params: { id: "none" },
    body: {},
    expect: { ...administrators, admin: 400 },
  },
  "PUT /api/admin/content/plans/{id}": { params: { id: "none" }, body: {}, expect: { ...administrators, admin: 400 } },
  "PUT /api/admin/content/offer": { body: {}, expect: { ...administrators, admin: 400 } },
  "PUT /api/admin/content/settings": { body: {}, expect: { ...administrators, admin: 400 } },
  "PUT /api/admin/content/copy": { body: {}, expect: { ...administrators, admin: 400 } },
  "GET /api/admin/configured": { expect: administrators },
  "POST /api/admin/content/move": {
    body: { kind: "module", id: "none", before: "module-1" },
    expect: { ...administrators, admin: 404 },
  },
  "POST /api/admin/content/publish": { body: {}, expect: administrators },
  "POST /api/admin/content/discard": { body: {}, expect: administrators },
  "GET /api/authorize-net/test-direct": { expect: administrators },
  "POST /api/authorize-net/direct-payment": { body: {}, expect: { ...administrators, admin: 400 } },
  // An empty body: who may call is decided before what was sent.
  "POST /api/authorize-net/accept-payment": {
    body: {},
    expect: refusedInput,
  },
};

let academy: AcademyInProcess;
const people = new Map<Role, Visitor>();
const endpoints: Endpoint[] = [];

beforeAll(async () => {
  academy = await openAcademyInProcess();
  for (const role of roles) {
    const visitor = academy.visitor();
    people.set(role, role === "visitor" ? visitor : await visitor.signInAsDemo(`${role}@academy.test`));
  }
  const folder = new URL("../contract/", import.meta.url);
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  )) {
    for (const value of Object.values(await import(new URL(file, folder).href))) {
      if (value && typeof value === "object" && "path" in value && "reply" in value) endpoints.push(value as Endpoint);
    }
  }
});
afterAll(() => academy[Symbol.asyncDispose]());

test("every endpoint of the contract stands in the table of roles, and answers as it says [Z01]", async () => {
  expect(endpoints.map((endpoint) => `${endpoint.method} ${endpoint.path}`).sort()).toEqual(Object.keys(table).sort());
  for (const endpoint of endpoints) {
    const row = table[`${endpoint.method} ${endpoint.path}`];
    for (const [role, visitor] of people) {
      const answer = await visitor.call(endpoint, { ...(row?.params && { params: row.params }), body: row?.body });
      const expected = typeof row?.expect === "number" ? row.expect : (row?.expect[role] ?? 200);
      expect(answer.status, `${role} ${endpoint.method} ${endpoint.path}`).toBe(expected);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      if (answer.status >= 400) expect(answer.headers.get("content-type")).toContain("application/problem+json");
    }
  }
});

test("what moves money, destroys data or copies people's asks an administrator for a fresh sign-in [A27 V02]", async () => {
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  const call = (endpoint: Endpoint) => {
    const row = table[`${endpoint.method} ${endpoint.path}`];
    return administrator.call(endpoint, { ...(row?.params && { params: row.params }), body: row?.body });
  };
  const guarded = endpoints.filter(({ needsFreshSignIn }) => needsFreshSignIn);
  expect(guarded.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    "DELETE /api/resources/{id}",
    "POST /api/admin/announcements/{id}/resume",
    "POST /api/admin/announcements/{id}/send",
    "POST /api/admin/content/publish",
    "POST /api/admin/delete-contact",
    "POST /api/admin/delete-user-account",
    "POST /api/admin/invitations",
    "POST /api/admin/reconciliation/repair",
    "POST /api/admin/record-dispute",
    "POST /api/admin/refund-purchase",
    "POST /api/admin/renewals/resume",
    "POST /api/admin/update-user-tier",
  ]);
  await academy.advance("16m");
  for (const endpoint of guarded) {
    expect(await call(endpoint), endpoint.path).toMatchObject({ status: 403, body: { code: "sign-in-again" } });
  }
  for (const list of exportedLists) {
    expect((await administrator.send("GET", exportUrl(list))).status, list).toBe(403);
  }
  await administrator.signInAsDemo("admin@academy.test");
  for (const endpoint of guarded) {
    const { expect: expected } = table[`${endpoint.method} ${endpoint.path}`] ?? {};
    const status = typeof expected === "number" ? expected : (expected?.admin ?? 200);
    expect((await call(endpoint)).status, endpoint.path).toBe(status);
  }
  for (const list of exportedLists) {
    expect((await administrator.send("GET", exportUrl(list))).status, list).toBe(200);
  }
});

test("the API document lists every endpoint with its body, and nothing else of the API [F15]", async () => {
  const response = await academy.visitor().send("GET", "/api/openapi.json");
  const { openapi, paths } = (await response.json()) as {
    openapi: string;
    paths: Record<string, Record<string, { requestBody?: { content: object } }>>;
  };
  expect(openapi).toMatch(/^3\.1/);
  const listed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(listed.sort()).toEqual(Object.keys(table).sort());
  for (const { method, path, body, form } of endpoints) {
    const described = Object.keys(paths[path]?.[method.toLowerCase()]?.requestBody?.content ?? {});
    expect(described, `${method} ${path}`).toEqual(form ? ["multipart/form-data"] : body ? ["application/json"] : []);
  }
});

test("forged hosts, proxies and method overrides open nothing [Z03 Z04]", async () => {
  const visitor = people.get("visitor");
  for (const headers of [
    { "x-forwarded-host": "localhost" },
    { "x-forwarded-for": "127.0.0.1" },
    { forwarded: "for=127.0.0.1;host=localhost" },
    { "x-real-ip": "::1" },
    { "x-original-url": "/healthz" },
    { "x-http-method-override": "GET" },
    { "x-middleware-subrequest": "1" },
  ]) {
    expect((await visitor?.send("GET", "/api/user/purchases", undefined, headers))?.status).toBe(401);
  }
  for (const path of [
    "//api//user/purchases",
    "/API/user/purchases",
    "/api/user/purchases/",
    "/api/user/purchases.json",
  ]) {
    expect((await visitor?.send("GET", academy.url + path))?.status, path).toBe(404);
  }
});

test.each([
  ["new", false, null, "active"],
  ["basic", true, "basic", "active"],
  ["premium", true, "premium", "active"],
  ["vip", true, "vip", "active"],
  ["held", false, null, "on_hold"],
  ["suspended", false, "basic", "suspended"],
] as const)("the demo account %s is in its own state", async (role, hasAccess, tier, accountStatus) => {
  const response = await people.get(role)?.send("GET", "/api/course-access");
  expect(await response?.json()).toMatchObject({ hasAccess, tier, accountStatus });
});

test("only the administrator's account is an administrator", async () => {
  for (const [role, visitor] of people) {
    if (role === "visitor") continue;
    const user = (await (await visitor.send("GET", "/api/auth/user")).json()) as { isAdmin: boolean };
    expect(user.isAdmin, role).toBe(role === "admin");
  }
});
