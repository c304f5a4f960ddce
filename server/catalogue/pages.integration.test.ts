import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { draftOffer, getContent, type LessonContent, type PlanContent } from "#contract/admin/content.ts";
import { getCatalogue, listPlans, searchCatalogue } from "#contract/catalogue.ts";
import type { PageFacts } from "#contract/page-facts.ts";
import { listProgress } from "#contract/progress.ts";
import { findBuild } from "#server/http/pages/build.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";
import { publish, publishWith } from "#test/drafts.ts";
import { academyOfFile, forFile } from "#test/fixtures.ts";

// What pages say is what was published last, on every node that shares the database, in every form in which it is sent.

const { academy: first, administrator: admin, test } = await academyOfFile();
const second = await forFile(openAcademyInProcess({}, first.database));

const encodings = {
  identity: (body: Buffer) => body,
  gzip: gunzipSync,
  br: brotliDecompressSync,
} as const;

/** A page as it is sent, with its encoding. */
async function page(
  node: AcademyInProcess,
  path: string,
  headers: Record<string, string> = {},
  encoding: keyof typeof encodings = "identity",
) {
  const sent = await node.inject({ url: node.url + path, headers: { "accept-encoding": encoding, ...headers } });
  return {
    status: sent.statusCode,
    etag: sent.headers.etag ?? "",
    type: sent.headers["content-type"],
    policy: String(sent.headers["content-security-policy"]),
    text: (sent.rawPayload.length > 0 ? encodings[encoding](sent.rawPayload) : sent.rawPayload).toString(),
  };
}

const publishPlan = (id: string, change: Partial<PlanContent>) => publishWith(admin, "plans", id, change);
const publishLesson = (id: string, change: Partial<LessonContent>) =>
  publishWith(admin, "lessons", id, change, { changes: { [id]: null } });

const addresses = [
  "/",
  "/signup",
  "/checkout?tier=premium",
  "/authorize-checkout",
  "/dashboard",
  "/course-access",
  "/demo-dashboard",
  "/contact",
  "/payment-method",
  "/nowhere",
];

test("a new academy sends its pages as they were built", async () => {
  const built = readFileSync(fileURLToPath(new URL("../../dist/client/index.html", import.meta.url)), "utf8");
  const site = { "https://academy.invalid": first.url, "support@academy.invalid": "support@academy.test" };
  const expected = Object.entries(site).reduce((text, [mark, value]) => text.replaceAll(mark, value), built);
  expect((await page(first, "/")).text).toBe(expected);
});

test("after a price is published no page on either node shows the old one, in any encoding", async () => {
  const before = await Promise.all([first, second].map((node) => page(node, "/")));
  for (const { text } of before) expect(text).toMatch(/397/);
  await publishPlan("premium_annual", { price: 263.5, name: "A Year Inside", features: ["One", "Two <three>"] });
  for (const node of [second, first]) {
    const session = { cookie: `academy-${new URL(node.url).port}=x` };
    for (const [at, address] of addresses.entries()) {
      const compressed = at < 2 ? (["gzip", "br"] as const) : [];
      for (const encoding of ["identity", ...compressed] as const) {
        const headers = encoding === "gzip" ? session : {};
        const { text, type } = await page(node, address, headers, encoding);
        expect(type).toBe("text/html; charset=utf-8");
        expect(text, `${address} ${encoding}`).not.toMatch(/\b(397|794)\b/);
        expect(text, `${address} ${encoding}`).toContain("263");
      }
    }
    const { text } = await page(node, "/");
    const [, json = ""] = /<script type="application\/ld\+json">([^<]*)</.exec(text) ?? [];
    const course = JSON.parse(json)["@graph"].find((one: { "@type": string }) => one["@type"] === "Course");
    expect(course.offers[1]).toMatchObject({ name: "A Year Inside", price: "263.50" });
    expect(text).toContain("<s class=");
    for (const price of [' text-price">$263.50<', ">$527<"]) expect(text).toContain(price);
    expect(text).toContain("Two &lt;three&gt;");
  }
});

test("operational marks do not raise the version of what pages show", async () => {
  const version = async () => (await first.pool.query("select version from content_version")).rows;
  const before = await version();
  await first.pool.query("insert into operational_marks (name, value, updated_at) values ('noted', '1', now())");
  expect(await version()).toEqual(before);
});

test("pages of two academies are rendered at the same time, each with its own name", async () => {
  const { root, renderer, facts } = await findBuild(fileURLToPath(new URL("../../dist/client", import.meta.url)));
  const folder = join(root, "../renderers", renderer);
  const { renderPage } = await import(pathToFileURL(join(folder, "entry.mjs")).href);
  const shells = JSON.parse(readFileSync(join(folder, "shells.json"), "utf8"));
  const { academy, ...others } = facts as PageFacts;
  const names = ["First Bakery", "Second Bakery"];
  const pages = names.flatMap((name) =>
    ["/", "/contact", "/dashboard"].map(async (path) => ({
      name,
      html: await renderPage(path, { academy: { ...academy, name }, ...others }, shells),
    })),
  );
  for (const { name, html } of await Promise.all(pages)) {
    expect(names.filter((each) => html.includes(each))).toEqual([name]);
  }
});

test("pages under constant load show a price from the response of its publication on", async () => {
  let isOver = false;
  const asking = [first, second].map(async (node) => {
    while (!isOver) await page(node, "/contact");
  });
  await publishPlan("premium_annual", { price: 271 });
  for (const { text } of await Promise.all([page(first, "/"), page(second, "/")])) expect(text).toContain("$271");
  isOver = true;
  await Promise.all(asking);
});

test("a cached page is not revalidated once it is out of date", async () => {
  const kept = await page(second, "/");
  expect((await page(second, "/", { "if-none-match": kept.etag })).status).toBe(304);
  await publishPlan("vip_lifetime", { price: 1234 });
  const now = await page(second, "/", { "if-none-match": kept.etag });
  expect(now.status).toBe(200);
  expect(now.text.includes("$1234")).toBe(true);
  expect((await page(second, "/", { "if-none-match": now.etag })).status).toBe(304);
});

test("a withdrawn offer is on no page", async () => {
  const offer = (await admin.call(getContent)).body.offer.published;
  await admin.call(draftOffer, { body: { ...offer, headline: "Spring sale", badges: {} } });
  await publish(admin);
  for (const node of [second, first]) {
    const { text } = await page(node, "/");
    expect(text).toContain("Spring sale");
    expect(text).not.toContain("50% off every plan");
  }
  await admin.call(draftOffer, { body: { ...offer, enabled: false } });
  await publish(admin);
  for (const node of [second, first])
    expect((await page(node, "/")).text).not.toMatch(/Original price|Save 30%<\/span>/);
});

test("no script that pages load knows a price", async () => {
  const prices = (await first.visitor().call(listPlans)).body.map(({ description }) => description);
  const assets = fileURLToPath(new URL("../../dist/client/assets/", import.meta.url));
  for (const name of readdirSync(assets).filter((one) => one.endsWith(".js"))) {
    const text = readFileSync(assets + name, "utf8");
    expect(text, name).not.toMatch(/priceCents|basic_monthly|premium_annual|vip_lifetime/);
    for (const description of prices) expect(text, name).not.toContain(description);
  }
});

test("pages show the lessons that are free now", async () => {
  await publishLesson("lesson-1-1", { title: "Renamed by hand" });
  for (const node of [second, first]) {
    expect((await page(node, "/")).text).toContain("Renamed by hand");
    expect((await page(node, "/demo-dashboard")).text).toContain("Renamed by hand");
  }
});

test("a page's policy allows only published videos, whatever the node served before [H02]", async () => {
  const policies = async () =>
    Promise.all([first, second].map(async (node) => (await page(node, "/dashboard")).policy));
  const [before] = await policies();
  expect(before).toContain("frame-src 'none'");
  await publishLesson("lesson-2-1", { videoId: "youtube:dQw4w9WgXcQ" });
  // Nothing is read from the second node before its page.
  const here = (await page(second, "/dashboard")).policy;
  expect(here).toContain("frame-src https://www.youtube-nocookie.com;");
  for (const node of [first, second]) await node.visitor().call(getCatalogue);
  expect(await policies()).toEqual([here, here]);
  await publishLesson("lesson-2-1", { videoId: "sample:lesson-2-1" });
  expect(await policies()).toEqual([before, before]);
});

test("a lesson that is coming soon plays for nobody, and only administrators get its video id [Z12]", async () => {
  const secret = "LkComingSoon";
  await publishLesson("lesson-1-2", {
    videoId: `file:https://${secret}.example/v.mp4`,
    comingSoon: true,
    freePreview: true,
  });
  await publishLesson("lesson-1-3", { videoId: `youtube:${secret.slice(0, 11)}`, comingSoon: true });
  const vip = await second.visitor().signInAsDemo("vip@academy.test");
  for (const viewer of [vip, second.visitor(), first.visitor()]) {
    const lessons = (await viewer.call(getCatalogue)).body.flatMap((module) => module.lessons);
    const free = lessons.find(({ id }) => id === "lesson-1-2");
    expect(free).toMatchObject({ videoId: "placeholder-video", thumbnail: null, comingSoon: true });
    expect((await viewer.send("GET", "/api/lessons/lesson-1-2/playback")).status).toBe(404);
    const said = [
      lessons,
      (await viewer.call(searchCatalogue, { query: { q: "seller" } })).body,
      (await viewer.call(listProgress)).body,
      ...(await Promise.all(
        ["lesson-1-2", "lesson-1-3"].flatMap((id) =>
          ["playback", "poster", "video", "captions"].map(async (part) => {
            const answer = await viewer.send("GET", `/api/lessons/${id}/${part}`);
            return [answer.status, [...answer.headers], await answer.text()];
          }),
        ),
      )),
      ...(await Promise.all(addresses.map((address) => page(second, address)))),
    ];
    expect(JSON.stringify(said).toLowerCase()).not.toContain(secret.slice(0, 11).toLowerCase());
  }
  expect(JSON.stringify((await admin.call(getContent)).body)).toContain(secret);
});

test("a client searches thirty times a minute", async () => {
  const search = () => first.visitor().call(searchCatalogue, { query: { q: "seller" } });
  const statuses = (await Promise.all(Array.from({ length: 61 }, search))).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
});
