import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { readApiDocument } from "#test/api-document.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";
import { openConnection } from "#test/raw-requests.ts";
import { until } from "#test/until.ts";

const { academy, test } = await academyOfFile({ PUBLIC_URL: "https://academy.test", DEMO_IS_PUBLIC: "yes" });

const onEveryAnswer = {
  "x-content-type-options": "nosniff",
  "referrer-policy": /^(strict-origin-when-cross-origin|same-origin|no-referrer)$/,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": /camera=\(\)/,
  "strict-transport-security": /^max-age=(3153[6-9]|31[6-9]|3[2-9]|[4-9])\d*; includeSubDomains$/,
};

interface Answer {
  readonly what: string;
  readonly status: number;
  readonly headers: Headers;
}

/** Sends raw bytes, because a client would normalize path, host and length. */
async function sendRaw(what: string, text: string): Promise<Answer> {
  const connection = await openConnection(academy, text);
  await until(async () => connection.answer.includes("\r\n\r\n"));
  connection.socket.destroy();
  const [head = ""] = connection.answer.split("\r\n\r\n", 1);
  const [first = "", ...lines] = head.split("\r\n");
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
  return { what, status: Number(first.split(" ")[1]), headers };
}

async function ask(path: string, init: RequestInit = {}): Promise<Answer> {
  const { status, headers } = await fetch(academy.url + path, { redirect: "manual", ...init });
  return { what: `${init.method ?? "GET"} ${path}`, status, headers };
}

/** One reply of every route and page, and of every status that visitors can cause. */
const answers = await everyAnswer();

async function everyAnswer(): Promise<Answer[]> {
  const document = await readApiDocument(academy.url);
  const endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ path: path.replace(/\{\w+\}/g, "none"), method: method.toUpperCase() })),
  );
  const build = JSON.parse(readFileSync(new URL("../dist/client/pages.json", import.meta.url), "utf8"));
  const landing = await (await fetch(academy.url)).text();
  const asset = /\/assets\/[\w.-]+\.js/.exec(landing)?.[0] ?? "";
  const others = [
    ...build.pages.map(({ path }: { path: string }) => path),
    ...["/no-such-page", "/.env", asset, `${asset}.map`, "/robots.txt", "/sitemap.xml", "/favicon.svg"],
    ...["/healthz", "/readyz", "/metrics", "/.well-known/security.txt", "/api/openapi.json", "/api/nothing", "/%"],
    ...["/api/login", "/api/auth/login", "/api/logout", "/api/auth/callback", "/api/auth/callback?state=x&code=y"],
    ...["/issuer/.well-known/openid-configuration", "/issuer/jwks", "/issuer/nothing"],
    ...["/issuer/auth", "/issuer/page.js", "/issuer/session/end", "/sandbox", "/sandbox/nothing", "/sandbox/api/mails"],
  ];
  const json = { "content-type": "application/json", origin: "https://academy.test" };
  return [
    ...(await Promise.all(endpoints.map(({ path, method }) => ask(path, { method })))),
    ...(await Promise.all(others.map((path) => ask(path)))),
    await ask("/api/course-pricing", { method: "PUT" }),
    await ask("/api/contact", { method: "POST", headers: json, body: "{" }),
    await ask("/api/contact", { method: "POST", headers: { origin: "https://academy.test" }, body: "x" }),
    await ask("/api/contact", { method: "POST", headers: json, body: `"${"x".repeat(70_000)}"` }),
    await ask("/api/contact", { method: "POST", headers: { ...json, origin: "https://evil.test" }, body: "{}" }),
    await ask("/api/authorize-net/webhook", { method: "POST", body: "{}" }),
    await ask("/", { headers: { "sec-fetch-dest": "document" } }),
    await ask("/", { method: "HEAD" }),
    await sendRaw("a path without its slash", "GET x HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    await sendRaw("a host that is somebody else's", "GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n"),
    await sendRaw("a space before a colon", "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n"),
    await sendRaw("headers past every size", `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(40_000)}\r\n\r\n`),
  ];
}

test("every answer carries the security headers, whatever was asked and whatever went wrong [H01]", async () => {
  const missing = answers.flatMap(({ what, status, headers }) =>
    Object.entries(onEveryAnswer)
      .filter(([name, value]) => !(headers.get(name) ?? "").match(value))
      .map(([name]) => `${what} (${status}): ${name} is ${headers.get(name)}`),
  );
  expect(missing).toEqual([]);
  expect(answers.filter(({ headers }) => headers.has("x-powered-by") || headers.has("server"))).toEqual([]);
  const statuses = new Set(answers.map(({ status }) => status));
  for (const status of [200, 303, 400, 401, 403, 404, 405, 413, 415, 431]) expect(statuses).toContain(status);
});

test("no page can be framed, and every page says what it may load [H01 H02]", async () => {
  const pages = answers.filter(({ headers }) => headers.get("content-type")?.startsWith("text/html"));
  expect(pages.length).toBeGreaterThan(20);
  for (const { what, headers } of pages) {
    const policy = headers.get("content-security-policy") ?? "";
    for (const rule of ["frame-ancestors 'none'", "default-src ", "base-uri 'none'"]) {
      expect(policy, what).toContain(rule);
    }
    expect(policy, what).toMatch(/form-action '(self|none)'/);
    expect(policy, what).not.toMatch(/script-src[^;]*'unsafe-(inline|eval)'/);
  }
});

test("the content editor lets in the video that its address names, for editors alone, and no other page does [H02]", async () => {
  const editor = await academy.visitor().signInAsDemo("admin@academy.test");
  const policyOf = async (path: string, visitor = editor) =>
    (await visitor.send("GET", path)).headers.get("content-security-policy") ?? "";
  const plain = await policyOf("/admin/content?edit=lesson.lesson-1-1");
  expect(plain).toContain("frame-src 'none'");
  expect(plain).toContain("media-src 'self' blob:;");

  const editing = "/admin/content?edit=lesson.lesson-1-1&preview=";
  expect(await policyOf(`${editing}vimeo%3A76979871`)).toBe(
    plain.replace("frame-src 'none'", "frame-src https://player.vimeo.com"),
  );
  for (const other of [academy.visitor(), await academy.visitor().signUp(), await inRole(academy, "support")]) {
    expect(await policyOf(`${editing}vimeo%3A76979871`, other)).toBe(plain);
  }
  const youtube = await policyOf(`${editing}youtube:dQw4w9WgXcQ`);
  expect(youtube).toContain("frame-src https://www.youtube-nocookie.com;");
  expect(youtube).toMatch(/script-src [^;]* https:\/\/www\.youtube\.com;/);
  expect(youtube).not.toContain("vimeo");
  const file = await policyOf(`${editing}${encodeURIComponent("file:https://files.example.test:8443/a.mp4?x=1")}`);
  expect(file).toBe(plain.replace("media-src 'self' blob:", "media-src 'self' blob: https://files.example.test:8443"));

  const refused = [
    "placeholder-video",
    "sample:lesson-1-1",
    "file:https://*/a.mp4",
    "file:https://a.test;script-src *",
  ];
  for (const videoId of refused) expect(await policyOf(editing + encodeURIComponent(videoId)), videoId).toBe(plain);
  expect(await policyOf(`${editing}vimeo:1&preview=vimeo:2`)).toBe(plain);
  for (const path of ["/admin", "/admin/pages", "/admin/settings", "/admin-upload", "/profile", "/checkout"]) {
    expect(await policyOf(`${path}?preview=vimeo:76979871`), path).toBe(await policyOf(path));
  }
});
