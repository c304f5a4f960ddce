import { beforeEach, expect } from "vitest";
import type { z } from "zod";
import { type ExportedList, type ExportFormat, exportedLists, exportUrl } from "#contract/admin/admin.ts";
import { listAudit } from "#contract/admin/audit.ts";
import { grantAccess } from "#contract/admin/grants.ts";
import { createToken, listTokens, revokeToken } from "#contract/admin/tokens.ts";
import { countUsers, deleteUserAccount, getUserDetail, listUsers, suspendAccount } from "#contract/admin/users.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { getOwnSubscription } from "#contract/purchases/subscriptions.ts";
import { type TokenScope, tokenScopeNames, tokenScopeOf } from "#contract/token-scopes.ts";
import { listEndpoints } from "#test/endpoints.ts";
import { exportList } from "#test/export-list.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";
import { leaveOnlyJobs } from "#test/regular-jobs.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, administrator: owner, test } = await academyOfFile();
const endpoints = await listEndpoints();
await leaveOnlyJobs(academy, "sweep-renewals");

beforeEach(async () => {
  await owner.signInAgain();
  await academy.pool.query("delete from tokens");
});

let created = 0;
async function create(scopes: readonly TokenScope[] = tokenScopeNames, by: Visitor = owner, expiresInDays = 30) {
  created += 1;
  const name = `Tool ${created}`;
  const { status, body } = await by.call(createToken, { body: { name, scopes, expiresInDays } });
  expect(status).toBe(201);
  return { ...(body as { id: string; token: string }), name };
}

/** Without cookies and without an origin, as another tool. */
function withToken(token: string) {
  const tool = academy.visitor();
  const headers = { authorization: `Bearer ${token}`, origin: null };
  return {
    send: (method: string, path: string, body?: string) => tool.send(method, path, body, headers),
    call: <Reply extends z.ZodType>(
      endpoint: Endpoint<z.ZodType, z.ZodType, z.ZodType, Reply>,
      input: Parameters<typeof tool.call>[1] = {},
    ) => tool.call(endpoint, { ...input, headers: { ...headers, ...input.headers } }),
  };
}

async function exportBy(token: string, list: ExportedList, format: ExportFormat = "csv") {
  const body = ["users", "purchases", "contacts"].includes(list) ? { filter: {} } : {};
  const answer = await withToken(token).send("POST", exportUrl(list, format), JSON.stringify(body));
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** The same, without limits. */
async function createUnlimited(scopes?: readonly TokenScope[]) {
  const made = await create(scopes);
  await academy.pool.query(
    `insert into limits (key, uses, ends_at)
     select 'token ' || $1 || kind, -10000, now() + interval '1 year' from unnest(array['', ' downloads']) kind`,
    [made.id],
  );
  return made;
}

const auditOf = async (id: string) => (await owner.call(listAudit, { query: { subject: id } })).body.rows;

test("each scope opens the reads of its permissions, and nothing else of the API [N21]", async () => {
  const opened: Record<string, string[]> = {};
  const [alone, others] = [new Map<TokenScope | null, string>(), new Map<TokenScope | null, string>()];
  for (const scope of [...tokenScopeNames, null]) {
    if (scope) alone.set(scope, (await createUnlimited([scope])).token);
    others.set(scope, (await createUnlimited(tokenScopeNames.filter((one) => one !== scope))).token);
  }
  for (const endpoint of endpoints.filter(({ permission }) => permission)) {
    const name = `${endpoint.method} ${endpoint.path}`;
    const input = { params: everyParameter, body: endpoint.body && {} };
    const statusBy = async (token = "") => (await withToken(token).call(endpoint, input)).status;
    const scope = tokenScopeOf(endpoint);
    expect([401, 403], name).toContain(await statusBy(others.get(scope)));
    if (!scope) continue;
    expect([200, 400, 404], name).toContain(await statusBy(alone.get(scope)));
    opened[scope] = [...(opened[scope] ?? []), name];
  }
  for (const list of exportedLists) {
    const scope = tokenScopeNames.find((one) => downloads[one]?.includes(list)) ?? null;
    const { status, headers } = await exportBy(others.get(scope) ?? "", list);
    expect(status, list).toBe(403);
    expect(headers.get("www-authenticate")).toMatch(/^Bearer error="insufficient_scope"/);
    if (scope) expect((await exportBy(alone.get(scope) ?? "", list)).status, list).toBe(200);
  }
  // Written out, so that a new permission or scope is noticed.
  expect(opened["read:learning"]).toEqual(["GET /api/admin/learning", "GET /api/admin/learning/checks"]);
  expect(opened["write:grants"]).toEqual(["POST /api/admin/grants"]);
  const reads = [...(opened["read:people"] ?? []), ...(opened["read:money"] ?? [])];
  expect(reads.filter((name) => !name.startsWith("GET "))).toEqual([]);
  expect(reads.join()).not.toMatch(/contacts|correspondence|refund|team|tokens|webhooks|settings|audit|questions/);
  expect(opened["read:people"]).toContain("GET /api/admin/users/{userId}");
  expect(opened["read:money"]).toContain("GET /api/admin/money");
});
const downloads: Partial<Record<TokenScope, readonly ExportedList[]>> = {
  "read:people": ["users"],
  "read:money": ["purchases", "money", "sign-ups", "funnel", "retention", "value"],
  "read:learning": ["learning"],
};
const everyParameter = new Proxy({}, { get: () => "none" }) as Record<string, string>;

test("a stolen token with every scope changes nothing but access, also outside the administration [N21]", async () => {
  const { token } = await createUnlimited();
  const tool = withToken(token);
  const changing = endpoints.filter(({ method, path }) => method !== "GET" && path !== grantAccess.path);
  const state = () =>
    academy.pool.query(`select (select count(*) from tokens) as tokens, (select count(*) from audit_log) as audit,
      (select count(*) from refunds) as refunds, (select count(*) from sessions) as sessions,
      (select count(*) from users) as users, (select string_agg(id || role, '' order by id) from users) as roles`);
  const before = (await state()).rows;
  for (const endpoint of changing) {
    const { status } = await tool.call(endpoint, { params: everyParameter, body: endpoint.body && {} });
    expect(status, `${endpoint.method} ${endpoint.path}`).toBeGreaterThanOrEqual(400);
    if (endpoint.permission) expect([401, 403], `${endpoint.method} ${endpoint.path}`).toContain(status);
  }
  for (const path of ["/api/admin/preview/hero", "/api/admin/announcements/none/preview", "/api/admin/videos/none"]) {
    expect((await tool.send("GET", path)).status, path).toBe(403);
  }
  expect((await state()).rows).toEqual(before);
});

test("a token ends with its time, when it is revoked, and with its creator's role or account [N22]", async () => {
  const statusOf = async ({ token }: { token: string }) => (await withToken(token).call(countUsers)).status;
  const [revoked, other] = [await create(), await create()];
  expect(await statusOf(revoked)).toBe(200);
  expect((await owner.call(revokeToken, { params: { id: revoked.id } })).status).toBe(200);
  expect([await statusOf(revoked), await statusOf(other)]).toEqual([401, 200]);
  expect((await owner.call(revokeToken, { params: { id: revoked.id } })).status).toBe(404);

  const second = await inRole(academy, "owner");
  const userId = await second.id();
  const theirs = await create(["read:people"], second);
  const setRole = (role: string) => academy.pool.query("update users set role = $1 where id = $2", [role, userId]);
  expect(await statusOf(theirs)).toBe(200);
  await setRole("administrator");
  expect(await statusOf(theirs)).toBe(401);
  expect((await owner.call(listTokens)).body.find(({ id }) => id === theirs.id)?.state).toBe("stopped");
  await setRole("owner");
  expect(await statusOf(theirs)).toBe(200);
  expect((await owner.call(suspendAccount, { body: { userId, reason: "Left" } })).status).toBe(200);
  expect(await statusOf(theirs)).toBe(401);
  expect((await owner.call(deleteUserAccount, { body: { userId, reason: "Left" } })).status).toBe(200);
  expect((await owner.call(listTokens)).body.map(({ id }) => id)).toEqual([other.id]);
  await academy.advance("30d");
  expect(await statusOf(other)).toBe(401);
  await owner.signInAgain();
  expect((await owner.call(listTokens)).body).toMatchObject([{ id: other.id, state: "expired" }]);
});

test("only an owner who has just signed in creates tokens, each with its own name, at most fifty [N21]", async () => {
  const terms = { name: "Zapier", scopes: ["read:people"], expiresInDays: 365 };
  const by = (visitor: Visitor, body: object = terms) => visitor.call(createToken, { body });
  expect((await by(await inRole(academy, "administrator"))).status).toBe(403);
  expect((await by(owner)).status).toBe(201);
  expect((await by(owner, { ...terms, name: "zapier" })).body.errors?.name).toEqual(["Another token has this name"]);
  for (const wrong of [{ expiresInDays: 366 }, { scopes: [] }, { scopes: ["write:people"] }, { name: " " }]) {
    expect((await by(owner, { ...terms, name: "Other", ...wrong })).status).toBe(400);
  }
  const answers = await Promise.all(Array.from({ length: 51 }, (_, at) => by(owner, { ...terms, name: `T${at}` })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(49);
  await academy.advance("16m");
  expect((await by(owner)).body.code).toBe("sign-in-again");
});

test("a token is kept as a hash alone, works in its header alone, and is in no log [N23]", async () => {
  const { id, token } = await create();
  expect(token).toMatch(/^acad_[\w-]{43}$/);
  const { rows } = await academy.pool.query("select row_to_json(t)::text as row from tokens t where id = $1", [id]);
  expect(rows[0].row).not.toContain(token.slice(5));
  expect(JSON.stringify((await owner.call(listTokens)).body)).not.toContain(token.slice(5));
  const plain = academy.visitor();
  for (const name of ["access_token", "token", "authorization"]) {
    expect((await plain.send("GET", `/api/admin/users?${name}=${token}`)).status).toBe(401);
    expect((await plain.send("GET", "/api/admin/users", undefined, { [`x-${name}`]: token })).status).toBe(401);
  }
  const basic = { authorization: `Basic ${btoa(`${token}:`)}` };
  expect((await plain.send("GET", "/api/admin/users", undefined, basic)).status).toBe(401);
  await withToken(token).send("POST", exportUrl("users", "csv"), "{");
  expect(academy.log.join("\n")).not.toContain(token.slice(5));
});

test("wrong tokens get the same answer, and too many of an address another [N23]", async () => {
  const { token } = await create();
  const changed = token.slice(0, -2) + (token.endsWith("AA") ? "BB" : "AA");
  const answers = [];
  for (const wrong of [changed, "acad_", "x", token.toUpperCase(), `${token}x`]) {
    answers.push(await withToken(wrong).call(listUsers));
  }
  for (const { status, headers, body } of answers) {
    expect([status, headers.get("www-authenticate")]).toEqual([401, 'Bearer error="invalid_token"']);
    expect(body.message).toBe(answers[0]?.body.message);
  }
  for (let at = answers.length; at < 30; at++) await withToken("wrong").call(listUsers);
  const late = await withToken("wrong").call(listUsers);
  expect([late.status, Number(late.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect((await withToken(token).call(listUsers)).status).toBe(200);
});

test("a token with cookies is refused, and another site gains nothing by a token of its own [N24]", async () => {
  const { token } = await create();
  const authorization = `Bearer ${token}`;
  const origin = "https://evil.example";
  for (const [method, path, body] of [
    ["GET", listUsers.path, undefined],
    ["POST", createToken.path, "{}"],
  ] as const) {
    expect((await owner.send(method, path, body, { authorization, origin })).status).toBe(400);
  }
  // Where tokens count for nothing, cookies do, and so does the origin.
  const student = await academy.visitor().signUp();
  expect((await student.send("DELETE", "/api/user", "{}", { authorization, origin })).status).toBe(403);
  const answer = await academy.visitor().send("GET", listUsers.path, undefined, { authorization, origin });
  expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
});

test("the sixty-first call within a minute waits, on all nodes together [N25]", async () => {
  const { id, token } = await create();
  const tool = withToken(token);
  expect((await tool.call(countUsers)).status).toBe(200);
  // A minute that a slow machine does not miss.
  const statement = "update limits set uses = uses + 58, ends_at = ends_at + interval '1 hour' where key = $1";
  await academy.pool.query(statement, [`token ${id}`]);
  const answers = [await tool.call(countUsers), await tool.call(countUsers)];
  expect(answers.map(({ status }) => status)).toEqual([200, 429]);
  expect(Number(answers[1]?.headers.get("retry-after"))).toBeGreaterThan(0);
  await academy.advance("62m");
  expect((await tool.call(countUsers)).status).toBe(200);
});

test("the last use is written once a minute", async () => {
  const { id, token } = await create();
  const used = async () => (await owner.call(listTokens)).body.find((one) => one.id === id)?.lastUsedAt;
  expect(await used()).toBeNull();
  await withToken(token).call(countUsers);
  const first = await used();
  expect(first).toBeTruthy();
  await withToken(token).call(countUsers);
  expect(await used()).toBe(first);
  await academy.advance("2m");
  await withToken(token).call(countUsers);
  expect(await used()).not.toBe(first);
});

test("a download by token is in the audit log, and the owners hear of the first one of a day [N25]", async () => {
  const { name, token } = await create(["read:people"]);
  const subject = `The token “${name}” downloaded a list`;
  const mails = async () => (await academy.mails(owner.email)).filter((mail) => mail.subject === subject);
  const { text } = await exportBy(token, "users");
  await exportBy(token, "users", "xlsx");
  await exportBy(token, "users");
  const [line] = await auditOf("users");
  const rows = text.trim().split("\r\n").length - 1;
  expect(line).toMatchObject({ action: "export users", token: name, after: { format: "csv", rows } });
  expect(line?.actor).toBe(await owner.id());
  await until(async () => (await mails()).length === 1);
  await academy.advance("25h");
  expect(await mails()).toHaveLength(1);
  expect((await exportBy(token, "users")).status).toBe(200);
  await until(async () => (await mails()).length === 2);
  await owner.signInAgain();
  await exportList(owner, "users");
  expect((await auditOf("users"))[0]?.token).toBeNull();
});

test("a token downloads twenty lists an hour, and another one its own [N25]", async () => {
  const [{ id, token }, other] = [await create(["read:people"]), await create(["read:people"])];
  const download = (by: string) =>
    withToken(by).send("POST", exportUrl("users", "csv"), JSON.stringify({ filter: {} }));
  expect((await download(token)).status).toBe(200);
  await academy.pool.query("update limits set uses = 19 where key = $1", [`token ${id} downloads`]);
  expect((await download(token)).status).toBe(200);
  const late = await download(token);
  expect([late.status, Number(late.headers.get("retry-after")) > 60]).toEqual([429, true]);
  expect(await late.json()).toMatchObject({ message: expect.stringContaining("20 lists within an hour") });
  expect((await download(other.token)).status).toBe(200);
  await academy.advance("61m");
  expect((await download(token)).status).toBe(200);
});

test("a token that reads a thousand people within an hour has to download the list [N25]", async () => {
  const { token } = await create(["read:people"]);
  await academy.pool.query(`insert into users (id, email, created_at, updated_at)
    select 'many-' || n, 'many-' || n || '@example.test', now(), now() from generate_series(1, 1100) n`);
  const statuses = [];
  let after: string | undefined;
  for (let page = 0; page < 6; page++) {
    const query = { limit: "200", ...(after && { after }) };
    const { status, body } = await withToken(token).call(listUsers, { query });
    statuses.push(status);
    if (status === 200) after = body.at(-1)?.id;
  }
  await academy.pool.query("delete from users where id like 'many-%'");
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});

test("a token that may see people sees neither their money nor their messages [N21]", async () => {
  const { student } = await academy.purchase("basic");
  const params = { userId: await student.id() };
  const { token: plain } = await create(["read:people"]);
  const people = (await withToken(plain).call(getUserDetail, { params })).body;
  expect(people).toMatchObject({ purchases: [], attempts: [], contacts: [], card: null, paid: null });
  expect(people).toMatchObject({ access: { tier: "basic" }, user: { email: student.email } });
  const both = await create(["read:people", "read:money"]);
  const all = (await withToken(both.token).call(getUserDetail, { params })).body;
  expect(all).toMatchObject({ purchases: [{}], paid: { chargedCents: 4900, refundedCents: 0 } });
  const lineOf = (text: string) => text.split("\r\n").find((line) => line.includes(student.email));
  const [withMoney, without] = [await exportBy(both.token, "users"), await exportBy(plain, "users")];
  expect(lineOf(withMoney.text)).toContain(",49.00,0.00,active,");
  expect(lineOf(without.text)).toContain(",,,active,");
});

test("access is given once for a body with its key or day, and the audit log names the token [N26]", async ({
  student,
}) => {
  const { name, token } = await create(["write:grants"]);
  const tool = withToken(token);
  const userId = await student.id();
  const give = (more: object = {}, key?: string) =>
    tool.call(grantAccess, {
      body: { userId, tier: "basic", reason: "Bought a bundle", ...more },
      ...(key && { headers: { "idempotency-key": key } }),
    });
  const answers = await Promise.all([give(), give(), give()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  const grants = () => academy.pool.query("select tier from grants where user_id = $1", [userId]);
  expect((await grants()).rows).toEqual([{ tier: "basic" }]);
  const lines = await auditOf(userId);
  expect(lines).toMatchObject([{ action: "change tier", token: name, reason: "Bought a bundle" }]);
  expect((await give({ tier: "premium", until: null }, "order-7")).status).toBe(201);
  expect((await give({ tier: "premium", until: null }, "order-7")).status).toBe(200);
  const another = await (await academy.visitor().signUp()).id();
  expect((await give({ userId: another, tier: "premium", until: null }, "order-7")).status).toBe(201);
  // A lower tier takes nothing away.
  const lower = await give({ tier: "basic", until: null });
  expect([lower.status, lower.body]).toEqual([200, { userId, tier: "premium", until: null }]);
  expect(await student.access()).toMatchObject({ tier: "premium", until: null });
  expect((await give({ until: "2020-01-01T00:00:00Z" })).status).toBe(400);
});

test("access by token ends no membership and no hold, and changes no renewal [N26]", async () => {
  const { student, purchaseId } = await academy.purchase("basic");
  const { student: debtor } = await academy.purchase("basic");
  await academy.nextChargesOf(debtor, "decline", "decline", "decline", "decline");
  const states = () =>
    Promise.all(
      [student, debtor].map(async (one) => [
        (await one.call(getOwnSubscription)).body,
        (await academy.pool.query("select * from grants where user_id = $1", [await one.id()])).rows,
      ]),
    );
  const refuseAll = async () => {
    await owner.signInAgain();
    const { token } = await create(["write:grants"]);
    const before = await states();
    for (const person of [student, debtor]) {
      const userId = await person.id();
      for (const gift of [{ tier: "vip" }, { tier: "basic", until: null }] as const) {
        const answer = await withToken(token).call(grantAccess, { body: { userId, ...gift, reason: "A bundle" } });
        expect(answer.status).toBe(409);
        expect(answer.body.message).toContain("An administrator can give it");
      }
    }
    expect(await states()).toEqual(before);
  };
  await refuseAll();
  for (const later of ["30d", "3d", "4d", "7d"]) await academy.advance(later, student, debtor, owner);
  expect(await debtor.subscription()).toMatchObject({ state: "on-hold" });
  expect(await academy.chargedFor(purchaseId)).toEqual(["49.00", "49.00"]);
  await refuseAll();
});

test("access goes to a confirmed address, and to somebody there [N26]", async ({ student }) => {
  const { token } = await create(["write:grants"]);
  const give = async (person: object) => {
    const body = { tier: "basic", reason: "Bought a bundle", ...person };
    return (await withToken(token).call(grantAccess, { body })).status;
  };
  expect(await give({ email: student.email })).toBe(409);
  await academy.pool.query("update users set email_verified = true where email = $1", [student.email]);
  expect(await give({ email: student.email.toUpperCase() })).toBe(201);
  expect(await give({ email: "nobody@example.test" })).toBe(404);
  expect(await give({ userId: "none" })).toBe(404);
  expect(await give({})).toBe(400);
  expect(await give({ userId: "none", email: student.email })).toBe(400);
});

test("the API document has the scope of each call by token, and every webhook", async () => {
  const document = (await (await academy.visitor().send("GET", "/api/openapi.json")).json()) as {
    components: { securitySchemes: Record<string, { scheme?: string }> };
    paths: Record<string, Record<string, { security?: Record<string, string[]>[] }>>;
    webhooks: object;
  };
  expect(document.components.securitySchemes.token?.scheme).toBe("bearer");
  for (const endpoint of endpoints) {
    const { security } = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()] ?? {};
    const scope = tokenScopeOf(endpoint);
    expect(security, endpoint.path).toEqual(scope ? [{ session: [] }, { token: [scope] }] : undefined);
  }
  expect(Object.keys(document.webhooks)).toContain("purchase.completed");
});
