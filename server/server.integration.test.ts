import { once } from "node:events";
import { connect } from "node:net";
import { expect } from "vitest";
import { getCoaching, getSlots } from "#contract/coaching/coaching.ts";
import { clockInZone, dayInZone } from "#contract/coaching/times.ts";
import { updateProfile } from "#contract/profile.ts";
import { saveProgress } from "#contract/progress.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { getOwnSubscription } from "#contract/purchases/subscriptions.ts";
import type { AcademyInProcess } from "#test/academy-in-process.ts";
import { test } from "#test/fixtures.ts";
import { scrape } from "#test/metrics.ts";
import { answerTo } from "#test/raw-requests.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

let academy: AcademyInProcess;
let student: Visitor;
test.beforeAll(async ({ academy: opened }) => {
  academy = opened;
  student = await academy.visitor().signInAsDemo("basic@academy.test");
});

const save = (body: string, headers: Record<string, string | null> = {}) =>
  student.send("PUT", "/api/user/progress/lesson-1-1", body, headers);

async function isProblem(response: Response, status: number): Promise<void> {
  expect(response.status).toBe(status);
  expect(response.headers.get("content-type")).toContain("application/problem+json");
  expect(await response.json()).toMatchObject({
    status,
    success: false,
    message: expect.stringMatching(/^[A-Z].*\.$/),
  });
}

test("malformed JSON is a 400 and the process lives [F01]", async () => {
  for (const body of ["", "null", "[]", "{", '{"position":1,}', "{'position':1}", "1", '"x"', "\u0000", "\uFEFF{"]) {
    await isProblem(await save(body), 400);
  }
  expect((await student.send("GET", "/healthz")).status).toBe(200);
});

test("other content types than JSON get 415 [F02]", async () => {
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/xml",
    "multipart/form-data; boundary=x",
  ]) {
    await isProblem(await save("position=1", { "content-type": type }), 415);
  }
});

test("a body that is too large or too deep is refused [F03]", async () => {
  await isProblem(await save(JSON.stringify({ position: 1, pad: "x".repeat(70_000) })), 413);
  await isProblem(await save(`${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`), 400);
});

test("NUL characters and keys that reach for prototypes are refused [F04 F07]", async () => {
  await isProblem(await save('{"position":1,"x":"\\u0000"}'), 400);
  await isProblem(await save('{"__proto__":{"isCompleted":true}}'), 400);
  await isProblem(await save('{"constructor":{"prototype":{"isCompleted":true}}}'), 400);
});

test("NUL characters in addresses and in forms of documents are refused, also to visitors [F04]", async () => {
  await isProblem(await student.send("GET", "/api/resources?moduleId=%00"), 400);
  const visitor = academy.visitor();
  await isProblem(await visitor.send("GET", "/unsubscribe/%00"), 400);
  await isProblem(await visitor.send("POST", "/unsubscribe/%00"), 400);
  const form = new URLSearchParams({ name: "N\0", email: "n@example.test", message: "M" }).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  await isProblem(await visitor.send("POST", "/contact", form, headers), 400);
});

test("values of another type are refused, not converted [F05 F06]", async () => {
  for (const position of ["-1", "1e309", '"10"', "true", "null", "[1]", "{}", "9007199254740993"]) {
    await isProblem(await save(`{"position":${position}}`), 400);
  }
  const answer = await student.call(saveProgress, {
    params: { lessonId: "lesson-1-1" },
    body: { userId: "x", position: 1 },
  });
  expect(answer.status).toBe(400);
});

test("a cross-site change is refused with any content type [A20]", async () => {
  for (const headers of [
    { origin: null },
    { origin: "https://evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ]) {
    await isProblem(await save('{"position":1}', headers), 403);
  }
});

test("unknown addresses and methods get a clear answer [F12 F13]", async () => {
  await isProblem(await student.send("GET", "/api/nothing-here"), 404);
  const wrongMethod = await student.send("GET", acceptPayment.path);
  expect(wrongMethod.headers.get("allow")).toBe("POST");
  await isProblem(wrongMethod, 405);
  for (const path of ["/no-such-page", "/.env", "/.git/config", "/package.json", "/stripe-status", "/stripe-test"]) {
    const page = await student.send("GET", path);
    expect(page.status, path).toBe(404);
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(await page.text()).toContain("404 Page Not Found");
  }
  expect((await student.send("GET", "/assets/app.js.map")).status).toBe(404);
});

test("a malformed address gets a problem answer that does not repeat it [F12]", async () => {
  for (const path of ["/api/%", "/%", "/api/user/progress/%ff", `/api/lessons/${"x".repeat(300)}/playback`]) {
    const response = await fetch(academy.url + path);
    await isProblem(response, 400);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  }
});

test("an encoding that the client refuses is not sent [H04]", async () => {
  const codingFor = async (accepted: string) =>
    (await student.send("GET", "/", undefined, { "accept-encoding": accepted })).headers.get("content-encoding");
  expect(await codingFor("gzip, deflate, br")).toBe("br");
  expect(await codingFor("br;q=0, gzip;q=0.5")).toBe("gzip");
  expect(await codingFor("gzip;q=0, identity")).toBeNull();
  expect(await codingFor("xbrx")).toBeNull();
});

test("assets are immutable and compressed, pages are asked for again [H04]", async () => {
  const page = await student.send("GET", "/", undefined, { "accept-encoding": "br" });
  expect(page.headers.get("cache-control")).toBe("no-cache");
  expect(page.headers.get("content-encoding")).toBe("br");
  const asset = /\/assets\/[\w.-]+\.js/.exec(await page.text())?.[0] ?? "";
  const script = await student.send("GET", asset, undefined, { "accept-encoding": "gzip" });
  expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(script.headers.get("content-encoding")).toBe("gzip");
  const again = await student.send("GET", "/", undefined, { "if-none-match": page.headers.get("etag") });
  expect(again.status).toBe(304);
});

test("the API document is sent compressed, and not again to a browser that has it", async () => {
  const address = "/api/openapi.json";
  const answer = await student.send("GET", address, undefined, { "accept-encoding": "gzip" });
  expect(answer.headers.get("content-encoding")).toBe("gzip");
  expect(await answer.json()).toMatchObject({ info: { title: "Academy" } });
  const etag = answer.headers.get("etag");
  const again = await student.send("GET", address, undefined, { "if-none-match": etag });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});

test("a page is marked when the browser has a session cookie", async () => {
  expect(await (await student.send("GET", "/")).text()).toContain("<html data-session ");
  const visitor = await academy.visitor().send("GET", "/");
  expect(await visitor.text()).not.toContain("data-session ");
  expect(visitor.headers.get("vary")).toBe("accept-encoding, cookie");
});

test("the dashboard's first HTML has the student's data and lesson, and no cache keeps it", async () => {
  const buyer = await academy.buyer("basic");
  const profile = { lastName: "", phone: "", location: "", bio: "" };
  await buyer.call(updateProfile, { body: { ...profile, firstName: "</script><script>alert(1)</script>" } });
  const answer = await buyer.send("GET", "/dashboard");
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
  const html = await answer.text();
  expect(html).not.toContain("alert(1)</script>");
  expect(html).toContain('aria-label="Play: The Gap Between Two Prices"');
  expect(html).toContain('src="/api/lessons/lesson-1-1/poster"');
  const seeds = JSON.parse(/id="seeds">(.*?)<\/script>/s.exec(html)?.[1] ?? "null") as Record<string, unknown>;
  expect(seeds).toMatchObject({
    "/api/auth/user": { email: buyer.email, firstName: "</script><script>alert(1)</script>" },
    "/api/course-access": { hasAccess: true, tier: "basic" },
    "/api/user/progress": [],
  });

  const coverAt = async (visitor: Visitor, path: string) =>
    /aria-label="([^"{]*: [^"]*)"/.exec(await (await visitor.send("GET", path)).text())?.[1];
  expect(await coverAt(buyer, "/dashboard?lesson=lesson-1-2&at=12")).toBe(
    "Resume at 0:12: Opening Your Seller Account",
  );
  expect(await coverAt(buyer, "/dashboard?lesson=lesson-5-1")).toBeUndefined();
  const nobody = academy.visitor();
  expect(await coverAt(nobody, "/dashboard")).toBeUndefined();
  nobody.cookies.set(`academy-${new URL(academy.url).port}`, { value: "junk.junk", path: "/" });
  const unknown = await nobody.send("GET", "/dashboard");
  expect([unknown.status, (await unknown.text()).includes('id="seeds"')]).toEqual([200, false]);
});

test("other pages for students begin with their data, and coaching lists its free times without scripts", async () => {
  const lifetime = await academy.buyer("vip");
  const seedsOf = async (visitor: Visitor, path: string) => {
    const html = await (await visitor.send("GET", path)).text();
    const seeds = JSON.parse(/id="seeds">(.*?)<\/script>/s.exec(html)?.[1] ?? "{}");
    return { html, paths: Object.keys(seeds) };
  };
  const profile = await seedsOf(lifetime, "/profile");
  expect(profile.paths).toEqual(expect.arrayContaining(["/api/user/purchases", "/api/user/sessions"]));
  expect(profile.html).toContain("My Profile</h1>");
  expect((await seedsOf(lifetime, "/membership")).paths).toContain(getOwnSubscription.path);

  const [first] = (await lifetime.call(getSlots)).body.coaches.flatMap(({ startsAt }) => startsAt);
  const { html, paths } = await seedsOf(lifetime, "/coaching");
  expect(paths).toContain(getSlots.path);
  const list = /<noscript>(.*?)<\/noscript>/s.exec(html)?.[1] ?? "";
  expect(list).toContain(`${dayInZone(first ?? "", "UTC")}</h3>`);
  expect(list).toContain(clockInZone(first ?? "", "UTC"));
  expect(list).not.toContain("template");
  expect(await seedsOf(await academy.buyer("basic"), "/coaching")).toMatchObject({
    paths: ["/api/auth/user", getCoaching.path],
  });
});

test("malformed requests on the socket are answered and the process continues [I13]", async () => {
  const answer = await answerTo(academy, "GET / HTTP/1.1\r\nHost : x\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1.1 400/);
  expect((await student.send("GET", "/readyz")).status).toBe(200);
});

test("a client that resets its connection right after sending is no failure of ours [I13]", async () => {
  const port = Number(new URL(academy.url).port);
  const head = `PUT /api/user/progress/lesson-1-1 HTTP/1.1\r\nHost: localhost:${port}\r\nOrigin: ${academy.url}\r\n`;
  const before = academy.log.length;
  const sockets = Array.from({ length: 40 }, () => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(`${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`);
      socket.resetAndDestroy();
    });
    return once(socket, "close");
  });
  await Promise.all(sockets);
  await until(async () => (await scrape(academy)).includes("\nacademy_requests_under_way 1\n"));
  expect(academy.log.slice(before).filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([]);
});

test("metrics answer this machine, but not requests through a proxy [I20]", async () => {
  const metrics = await scrape(academy);
  for (const name of ["academy_payments_unresolved 0", "academy_jobs_failed 0", "process_resident_memory_bytes "]) {
    expect(metrics).toContain(name);
  }
  expect((await academy.visitor().send("GET", "/metrics", undefined, { "x-forwarded-for": "1.2.3.4" })).status).toBe(
    404,
  );
});

test("a foreign host is refused at every address, by a problem or a page", async () => {
  const { port } = new URL(academy.url);
  for (const path of ["/", "/api/catalogue", "/healthz", "/issuer/x", "/sandbox/api/mails", "/assets/x", "/nowhere"]) {
    const answer = await academy.inject(`http://evil.example:${port}${path}`);
    expect(answer.statusCode, path).toBe(421);
    expect(answer.headers["x-content-type-options"], path).toBe("nosniff");
    expect(answer.json(), path).toMatchObject({ code: "misdirected-request", requestId: expect.any(String) });
    const headers = { accept: "text/html", "content-type": "application/json" };
    const page = await academy.inject({ method: "POST", url: `http://evil.example${path}`, headers, payload: "{" });
    expect(page.statusCode, path).toBe(421);
    expect(page.body, path).toContain(`<a class="button" href="${academy.url}">`);
    expect((await academy.inject(`http://localhost:${port}${path}`)).statusCode, path).not.toBe(421);
  }
});

test("other names of this machine redirect to the public address of the page", async () => {
  const { port } = new URL(academy.url);
  const open = async (address: string, destination = "document") => {
    const { statusCode, headers } = await academy.inject({ url: address, headers: { "sec-fetch-dest": destination } });
    return [statusCode, headers.location];
  };
  for (const path of ["/", "/checkout?tier=basic", "/nowhere", "/sandbox"]) {
    expect(await open(`http://127.0.0.1:${port}${path}`)).toEqual([307, `${academy.url}${path}`]);
  }
  expect(await open(`http://127.0.0.1:${port}//evil.example/x`)).toEqual([307, `${academy.url}/evil.example/x`]);
  expect(await open(`http://127.0.0.1:${port}/`, "image")).toEqual([200, undefined]);
  expect(await open(`${academy.url}/`)).toEqual([200, undefined]);
});
