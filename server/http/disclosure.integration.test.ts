import { readdirSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import { sendContactMessage } from "#contract/contact.ts";
import { updateProfile } from "#contract/profile.ts";
import { DAY } from "#server/base/clock.ts";
import { listEndpoints } from "#test/endpoints.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { sendUnchecked } from "#test/raw-requests.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, test } = await academyOfFile();
const endpoints = await listEndpoints();
const contact = { name: "Ines Park", email: "ines.park@example.test", message: "Is the course for beginners?" };

await academy.pool.query("update modules set intro_video = 'sample:lesson-1-2' where id = 'module-1'");
const student = await academy.visitor().signInAtIssuer("basic@academy.test", "academy-demo");
await academy.visitor().call(sendContactMessage, { body: contact });

const valuesOf = async (sql: string): Promise<string[]> => {
  const { rows } = await academy.pool.query<{ value: string | null }>({ text: sql });
  return rows.flatMap(({ value }) => value ?? []);
};
const firstOf = async (sql: string) => (await valuesOf(sql))[0] ?? "";

const others = "<> (select id from users where email = 'basic@academy.test')";

/** An answer without what differs from one answer to the next by its nature. */
async function toldBy(response: Response) {
  const body = (await response.text()).replaceAll(response.headers.get("x-request-id") ?? "", "");
  const headers = Object.fromEntries(response.headers);
  return { status: response.status, body, headers: { ...headers, date: "", "x-request-id": "" } };
}

test("existing and missing things get byte-equal answers for those who may not know them [Z02]", async () => {
  const ids: Record<string, string> = {
    userId: await firstOf("select id as value from users where email = 'vip@academy.test'"),
    purchaseId: await firstOf("select id as value from purchases where transaction_id is not null"),
    subscriptionId: await firstOf("select id as value from subscriptions"),
    contactId: await firstOf("select id as value from contacts"),
    id: await firstOf(`select id as value from payment_attempts where state = 'approved' and user_id ${others}`),
  };
  expect(Object.values(ids)).not.toContain("");
  const missing = Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, "z".repeat(id.length)]));
  const visitor = academy.visitor();
  let compared = 0;
  for (const { method, path } of endpoints) {
    const forAdministrators = path.startsWith("/api/admin/");
    if (!forAdministrators && !path.includes("/receipts/")) continue;
    const ask = async (who: Visitor, these: Record<string, string>) => {
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => these[name] ?? "");
      return toldBy(await who.send(method, filled, method === "GET" ? undefined : JSON.stringify(these)));
    };
    for (const who of [visitor, student]) {
      const there = await ask(who, ids);
      expect(await ask(who, missing), `${method} ${path}`).toEqual(there);
      expect(there.status).toBe(who === visitor ? 401 : forAdministrators ? 403 : 404);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(70);
});

/** Every text and number of an answer. */
function leavesOf(value: unknown): string[] {
  if (value === null || typeof value !== "object") return [String(value)];
  return Object.values(value).flatMap(leavesOf);
}

// A student books with a coach by the coach's id.
test("no answer to a student contains data of others or internal data [Z08]", async () => {
  const secrets = await valuesOf(`
    select unnest(array[email, phone, bio, suspension_reason]) as value from users where id ${others}
    union select id from users where id ${others} and id not in (select user_id from coaches)
    union select unnest(array[id, transaction_id]) from purchases where user_id ${others}
    union select id from subscriptions where user_id ${others}
    union select unnest(array[id, transaction_id, invoice_number]) from payment_attempts where user_id ${others}
    union select unnest(array[customer_profile_id, payment_profile_id, network_transaction_id]) from payment_methods
    union select unnest(array[idempotency_key, reference, client_hash]) from payment_attempts
    union select subject from identities union select sid from sessions union select sess ->> 'idToken' from sessions
    union select storage_key from course_resources union select sha256 from course_resources
    union select password_hash from issuer.accounts union select unnest(array[name, email, message]) from contacts`);
  const receiptId = await firstOf(`select id as value from payment_attempts where not user_id ${others}`);
  const code = "0123456789ABCDEF";
  const facts = { academyName: "A", timeZone: "UTC", modules: [{ position: 1, title: "M", lessons: 1 }] };
  const numbers = { lessons: 1, checks: 0, secondsWatched: 1, catalogueVersion: 1 };
  await academy.pool.query(
    `insert into certificates (user_id, code, name, facts, issued_at)
      select id, $1, 'Somebody', $2, now() from users where email = 'vip@academy.test'`,
    [code, { ...facts, ...numbers }],
  );
  const params: Record<string, string> = { id: receiptId, lessonId: "lesson-1-2", moduleId: "module-1", code };
  const question = { id: "q", kind: "text", text: "Q", answer: "A", explanation: "E", at: null };
  const statement = "insert into check_questions values ('lesson-1-2', 'q', 'v', 0, $1, now())";
  await academy.pool.query(statement, [question]);
  const asked = `insert into question_posts (id, lesson_id, author_id, title, text, created_at)
    select 'asked-by-another', 'lesson-1-2', id, 'How warm is it?', 'Words', now() from users where email = $1`;
  await academy.pool.query(asked, ["vip@academy.test"]);
  const answered: string[] = [];
  const told = new Set<string>();
  for (const { method, path } of endpoints.filter((one) => one.method === "GET")) {
    const named = path.startsWith("/api/questions/") ? { ...params, id: "asked-by-another" } : params;
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => named[name] ?? "none");
    const response = await student.send(method, filled);
    const text = Buffer.from(await response.arrayBuffer()).toString("latin1");
    for (const mark of ["@academy.test", academy.dataDir, "node_modules"]) {
      expect(text.replaceAll(/(basic|support)@academy\.test/g, ""), `${path}: ${mark}`).not.toContain(mark);
    }
    if (response.status === 200) answered.push(path);
    if (response.headers.get("content-type")?.includes("json")) {
      for (const leaf of leavesOf(JSON.parse(text))) told.add(leaf);
    }
  }
  expect(secrets.length).toBeGreaterThan(50);
  expect(secrets.filter((secret) => told.has(secret))).toEqual([]);
  // Their own records they are told, which shows that the requests were accepted.
  expect([...told]).toEqual(expect.arrayContaining(["basic@academy.test", receiptId, "lesson-1-2"]));
  // The sessions of a coach open with a role or with a higher tier.
  const closed = (path: string) =>
    /^\/api\/(admin\/|authorize-net\/test|upload|download|profile-images|coach(\/|$)|coaching\/(bookings|slots)|live\/)/.test(
      path,
    );
  const open = endpoints.filter(({ method, path }) => method === "GET" && !closed(path)).map(({ path }) => path);
  expect(answered.sort()).toEqual(open.sort());
});

test("no answer allows cross-origin reads or preflights [H05]", async () => {
  const origin = "https://evil.example";
  const preflight = { "access-control-request-method": "POST", "access-control-request-headers": "content-type" };
  for (const path of [
    ...["/", "/no-such-page", "/robots.txt", "/.well-known/security.txt", "/healthz"],
    ...["/api/course-pricing", "/api/auth/user", "/api/contact", "/api/nothing", "/api/login"],
    ...["/issuer/.well-known/openid-configuration", "/issuer/jwks", "/issuer/auth", "/issuer/token", "/issuer/me"],
  ]) {
    for (const response of [
      await student.send("GET", path, undefined, { origin }),
      await student.send("OPTIONS", path, undefined, { origin, ...preflight }),
    ]) {
      const names = [...response.headers.keys()];
      expect(
        names.filter((name) => name.startsWith("access-control-")),
        path,
      ).toEqual([]);
      expect(response.headers.get("cross-origin-resource-policy"), path).toBe("same-origin");
    }
  }
});

test("a server error shows only its request id; the log has id and cause [H08]", async () => {
  await academy.pool.query(
    "alter table contacts rename to contacts_elsewhere; alter schema issuer rename to issuer_elsewhere",
  );
  const visitor = academy.visitor();
  const message = { ...contact, message: "The message that nobody could keep." };
  const answer = await visitor.call(sendContactMessage, { body: message });
  const signIn = await visitor.navigate("/api/login");
  await academy.pool.query(
    "alter table contacts_elsewhere rename to contacts; alter schema issuer_elsewhere rename to issuer",
  );

  const requestId = answer.headers.get("x-request-id") ?? "";
  expect(answer.status).toBe(500);
  expect(answer.body).toEqual({
    type: "about:blank",
    title: "Internal error",
    status: 500,
    code: "internal",
    message: "Something went wrong on our side. Please try again.",
    success: false,
    requestId,
  });
  for (const name of ["server", "x-powered-by", "via"]) expect(answer.headers.has(name), name).toBe(false);
  expect(signIn.status).toBe(500);
  expect(signIn.html).not.toMatch(/relation|schema|select |insert |issuer_|payload|\.ts\b|node_modules|postgres/i);

  const lines = await until(async () => {
    const found = academy.log.filter((line) => line.includes(requestId));
    return found.some((line) => line.includes("request failed")) && found;
  });
  expect(lines.join()).toContain("contacts");
  for (const said of Object.values(message)) expect(academy.log.join()).not.toContain(said);
});

test("input cannot add lines or terminal sequences to the log [F11]", async () => {
  const forged = '\r\n{"level":"fatal","msg":"forged"}\u001b[2J\u0085\u2028';
  const visitor = academy.visitor();
  const body = { firstName: "Basic", lastName: "Student", phone: "", location: "", bio: forged };
  expect((await student.call(updateProfile, { body })).status).toBe(200);
  await visitor.call(sendContactMessage, { body: { ...contact, name: `A${forged}B`, message: `Hello${forged}!` } });
  for (const path of [
    "/api/nothing",
    "/api/auth/callback?state=x&error=",
    "/api/catalogue/search?q=",
    "/issuer/auth?client_id=",
  ]) {
    for (const headers of [{}, { "user-agent": forged.replaceAll(/[^\x20-\x7e]/g, "\t"), referer: "x\ty" }]) {
      await visitor.send("GET", path + encodeURIComponent(forged), undefined, headers);
      await visitor.send("POST", path + encodeURIComponent(forged), "{", headers);
    }
  }
  await until(async () => academy.log.some((line) => line.includes("/api/user/profile")));
  const lines = academy.log.filter((line) => !line.startsWith("Academy is ready"));
  for (const line of lines) {
    expect(JSON.parse(line)).toMatchObject({
      level: expect.stringMatching(/^(info|warn|error)$/),
      time: expect.any(Number),
    });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  }
});

test("no address of the sign-in contains personal data or credentials [G06]", async () => {
  const visitor = academy.visitor();
  const addresses: URL[] = [];
  const policies = new Set<string | null>();
  const send = visitor.send.bind(visitor);
  visitor.send = async (...request) => {
    const response = await send(...request);
    addresses.push(new URL(response.headers.get("location") ?? request[1], academy.url));
    policies.add(response.headers.get("referrer-policy"));
    return response;
  };
  await visitor.signUpAtIssuer();
  const session = visitor.cookies.get(`academy-${new URL(academy.url).port}`)?.value ?? "none";
  await visitor.navigate("/api/login?returnTo=/profile");
  await visitor.navigate("/api/logout");
  expect([...policies].sort()).toEqual(["same-origin", "strict-origin-when-cross-origin"]);

  const names = new Set(addresses.flatMap(({ searchParams }) => [...searchParams.keys()]));
  const protocol =
    "client_id code code_challenge code_challenge_method id_token_hint iss nonce redirect_uri scope state";
  const known = [...protocol.split(" "), "response_type", "post_logout_redirect_uri", "returnTo"];
  expect([...names].filter((name) => !known.includes(name))).toEqual([]);
  const hint = addresses.map(({ searchParams }) => searchParams.get("id_token_hint")).find(Boolean);
  const told = Buffer.from(hint?.split(".")[1] ?? "", "base64url").toString();
  const claims = Object.keys(JSON.parse(told));
  expect(claims).toContain("sub");
  expect(claims.filter((claim) => /email|name|picture|phone/.test(claim))).toEqual([]);
  for (const secret of [visitor.email, encodeURIComponent(visitor.email), session, "plywood"]) {
    expect(addresses.join(" ")).not.toContain(secret);
  }

  // The link of a mail must hold what it proves: its page tells nobody, and nothing keeps it.
  const mail = await until(async () => (await academy.mails()).find((one) => one.to.includes(visitor.email)));
  const link = new URL(/https?:\/\/\S+/.exec(mail.text)?.[0] ?? "");
  const { headers } = await visitor.send("GET", link.href);
  expect(headers.get("referrer-policy")).toBe("same-origin");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(academy.log.join()).not.toContain(link.searchParams.get("token"));
});

test("crawlers are excluded from personal pages, and there are no directory listings, echoes or source maps [H10]", async () => {
  const visitor = academy.visitor();
  const robots = await (await visitor.send("GET", "/robots.txt")).text();
  for (const path of ["/api/", "/issuer/", "/admin", "/dashboard", "/checkout", "/profile"]) {
    expect(robots).toContain(`\nDisallow: ${path}\n`);
  }
  expect(robots).toContain(`\nSitemap: ${academy.url}/sitemap.xml\n`);
  for (const folder of ["/assets", "/assets/", "/with-session/", "/.well-known/", "/issuer/", "/api/download/"]) {
    expect((await student.send("GET", folder)).status, folder).toBe(404);
  }

  for (const path of ["/", "/api/course-pricing", "/issuer/auth", "/healthz"]) {
    const traced = await sendUnchecked(academy.url + path, {
      method: "TRACE",
      headers: { cookie: "academy=a-secret" },
    });
    expect([404, 405], path).toContain(traced.status);
    expect(traced.text).not.toContain("a-secret");
  }

  const client = new URL("../../dist/client/", import.meta.url);
  const built = readdirSync(client, { recursive: true, encoding: "utf8" });
  expect(built.filter((name) => name.endsWith(".map"))).toEqual([]);
  const scripts = built.filter((name) => /\.(js|css)$/.test(name));
  expect(scripts.length).toBeGreaterThan(20);
  for (const name of scripts)
    expect(readFileSync(new URL(name, client), "utf8"), name).not.toContain("sourceMappingURL");
});

// Last: it moves the clock of this academy.
test("security.txt tells where to report a weakness and does not expire [H10]", async () => {
  const read = async () => {
    const response = await academy.visitor().send("GET", "/.well-known/security.txt");
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const { now } = (await (await student.send("GET", "/sandbox/api/clock")).json()) as { now: string };
    const said = Object.fromEntries((await response.text()).split("\n").map((line) => line.split(/: (.*)/)));
    expect(said.Contact).toBe("mailto:support@academy.test");
    const days = (Date.parse(said.Expires) - Date.parse(now)) / DAY;
    expect(days).toBeGreaterThan(90);
    expect(days).toBeLessThan(365);
    return Date.parse(said.Expires);
  };
  const before = await read();
  await academy.advance("1d");
  expect(await read()).toBeGreaterThan(before);
});
