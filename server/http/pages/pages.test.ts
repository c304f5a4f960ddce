import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { folderOfTest } from "#test/temporary-folder.ts";
import { findBuild } from "./build.ts";
import { Pages } from "./pages.ts";

const publicUrl = "https://academy.example";
const site = { publicUrl, supportEmail: "help@academy.example", metaPixelId: null };
const built = (mark: string) => `<html${mark}><link rel="canonical" href="https://academy.invalid/contact"></html>`;

test("the public address stands in pages, site map and robots file, in every encoding", async () => {
  const ask = await serve({
    "contact.html": built(""),
    "with-session/contact.html": built(" data-session"),
    "sitemap.xml": "<loc>https://academy.invalid/</loc>",
    "robots.txt": "Sitemap: https://academy.invalid/sitemap.xml",
  });
  const page = built("").replace("https://academy.invalid", publicUrl);
  expect((await ask("/contact", "identity")).body.toString()).toBe(page);
  expect(brotliDecompressSync((await ask("/contact", "gzip, br")).body).toString()).toBe(page);
  expect(gunzipSync((await ask("/contact", "gzip")).body).toString()).toBe(page);
  expect(brotliDecompressSync((await ask("/contact", "br", "sid=1")).body).toString()).toContain(
    `${publicUrl}/contact`,
  );
  expect((await ask("/sitemap.xml", "identity")).body.toString()).toBe(`<loc>${publicUrl}/</loc>`);
  expect((await ask("/robots.txt", "identity")).body.toString()).toBe(`Sitemap: ${publicUrl}/sitemap.xml`);
});

test("files without an address are sent as compressed by the build, and scripts are not changed", async () => {
  const ask = await serve({ "assets/page.js": 'const origin = "https://academy.invalid"' });
  const { body, headers } = await ask("/assets/page.js", "br");
  expect(body).toEqual(brotliCompressSync('const origin = "https://academy.invalid"'));
  expect(headers["content-length"]).toBe(String(body.length));
});

test("a name in braces stands for one part of the path, which may be anything", async () => {
  const ask = await serve({ "user.html": "<html>user</html>" });
  const page = async (path: string) => (await ask(path, "identity")).body.toString();
  expect(await page("/users/ada?tab=1")).toBe("<html>user</html>");
  expect(await page("/users")).toBe("<html>none</html>");
  expect(await page("/users/ada/more")).toBe("<html>none</html>");
});

test("a trailing slash and capital letters redirect to the page, with the query", async () => {
  const ask = await serve({ "contact.html": "<html>contact</html>", "user.html": "<html>user</html>" });
  const led = async (path: string) => {
    const { statusCode, headers } = await ask(path, "identity");
    return statusCode === 308 ? headers.location : statusCode;
  };
  expect(await led("/Contact?a=B&c")).toBe("/contact?a=B&c");
  expect(await led("/contact/")).toBe("/contact");
  expect(await led("/CONTACT//?x")).toBe("/contact?x");
  expect(await led("/Users/Ada/")).toBe("/users/Ada");
  for (const path of ["/contacts/", "//contact", "//elsewhere.example/contact/", "/contact/more", "/users/", "//"]) {
    expect(await led(path), path).toBe(404);
  }
  const slashes = "/".repeat(300_000);
  expect(await led(`/contact${slashes}`)).toBe("/contact");
  // In n² steps this would take minutes.
  expect(await led(`/contact${slashes}more`)).toBe(404);
});

test("a page is rendered again before it is sent when its facts have changed, in every encoding", async () => {
  const plain = "<html>contact for 49</html>";
  let facts: object = builtFacts;
  const ask = await serve({ "contact.html": plain }, () => facts);
  const before = await ask("/contact", "identity");
  expect(before.body.toString()).toBe(plain);
  facts = { price: 61 };
  const now = `<html lang>/contact costs 61 at ${publicUrl}`;
  expect((await ask("/contact", "identity")).body.toString()).toBe(now);
  expect(brotliDecompressSync((await ask("/contact", "br")).body).toString()).toBe(now);
  expect(gunzipSync((await ask("/contact", "gzip", "sid=1")).body).toString()).toBe(
    now.replace("<html", "<html data-session"),
  );
  expect((await ask("/nowhere", "identity")).body.toString()).toContain("costs 61");
  const again = await ask("/contact", "br", "", { "if-none-match": String(before.headers.etag) });
  expect(brotliDecompressSync(again.body).toString()).toBe(now);
  facts = builtFacts;
  expect((await ask("/contact", "identity")).body.toString()).toBe(plain);
});

test("a page that cannot be rendered is an error and never outdated", async () => {
  let facts: object = builtFacts;
  const ask = await serve({ "404.html": "<html>none for 49</html>" }, () => facts);
  facts = { price: 0 };
  expect((await ask("/nowhere", "identity")).body.toString()).toBe(
    "This page is temporarily unavailable. Try again in a minute.\n",
  );
  facts = { price: 61 };
  expect((await ask("/nowhere", "identity")).body.toString()).toContain("costs 61");
});

test("the sign-up page is marked with the plan in its query, built or rendered, and no other page", async () => {
  let facts: object = builtFacts;
  const files = Object.fromEntries(
    ["signup.html", "contact.html"].flatMap((file) => [
      [file, "<html lang>"],
      [`with-session/${file}`, "<html lang data-session>"],
    ]),
  );
  const ask = await serve(files, () => facts);
  const page = async (path: string, cookie = "") => (await ask(path, "identity", cookie)).body.toString();
  const vip = "/signup?tier=vip&priceId=x&price=1497";
  expect(await page(vip)).toBe('<html data-plan="vip" lang>');
  expect(await page(vip, "sid=1")).toBe('<html data-plan="vip" lang data-session>');
  expect(brotliDecompressSync((await ask("/signup?tier=basic&price=49", "br")).body).toString()).toContain('"basic"');
  for (const query of ["", "?tier=vip", "?tier=x&price=1", "?tier=vip&price=free", "?tier=vip&tier=vip&price=1"]) {
    expect(await page(`/signup${query}`), query).toBe("<html lang>");
  }
  expect(await page("/contact?tier=vip&price=1497")).toBe("<html lang>");
  facts = { price: 61 };
  expect(await page(vip)).toContain('<html data-plan="vip" lang>/signup costs 61');
});

const builtFacts = { price: 49 };
const videoOrigins = { script: [], frame: [], media: [], connect: [], img: [] };

/** A server of a build that has these files and a page for unknown addresses, each with its compressed sibling. */
async function serve(files: Record<string, string>, factsNow = () => builtFacts as object) {
  const dist = folderOfTest();
  const root = join(dist, "client");
  const renderer = join(dist, "renderers/one");
  await mkdir(root);
  await mkdir(renderer, { recursive: true });
  await writeFile(join(renderer, "shells.json"), '"<html lang>"');
  await writeFile(
    join(renderer, "entry.mjs"),
    `export const renderPage = async (path, facts, shells) => {
      if (facts.price === 0) throw new Error("nothing is free");
      return shells + path + " costs " + facts.price + " at https://academy.invalid";
    };`,
  );
  for (const folder of ["assets", "with-session"]) await mkdir(join(root, folder));
  const given = Object.entries({ "404.html": "<html>none</html>", ...files });
  // Pages that nothing else is said of are the same with a session.
  const same = given.flatMap(([name, text]) => (/^\w+\.html$/.test(name) ? [[`with-session/${name}`, text]] : []));
  for (const [name, text] of Object.entries<string>({ ...Object.fromEntries(same), ...Object.fromEntries(given) })) {
    await writeFile(join(root, name), text);
    await writeFile(join(root, `${name}.br`), brotliCompressSync(text));
  }
  const pathsAndFiles = Object.entries({
    "contact.html": "/contact",
    "user.html": "/users/{id}",
    "signup.html": "/signup",
  })
    .filter(([file]) => file in files)
    .map(([file, path]) => ({ path, checkout: false, lessons: false, previews: false, ...pair(file) }));
  const list = {
    pages: pathsAndFiles,
    notFound: { path: "/404", ...pair("404.html") },
    styles: { issuer: "/assets/issuer.css" },
    facts: builtFacts,
    renderer: "one",
  };
  await writeFile(join(root, "pages.json"), JSON.stringify(list));

  const pages = await Pages.load(await findBuild(root), {
    headers: { all: {}, page: () => ({}), checkout: () => ({}), lessons: () => ({}) },
    sessionCookie: "sid",
    site,
    factsNow: async () => ({ facts: factsNow(), videoOrigins }),
  });
  const app = Fastify();
  app.setNotFoundHandler((request, reply) => pages.sendNotFound(request, reply));
  pages.addRoutes(app);

  return async (url: string, encoding: string, cookie = "", more: Record<string, string> = {}) => {
    const response = await app.inject({
      url,
      headers: { "accept-encoding": encoding, ...(cookie && { cookie }), ...more },
    });
    return { body: response.rawPayload, headers: response.headers, statusCode: response.statusCode };
  };
}

function pair(file: string) {
  return { file, fileWithSession: `with-session/${file}`, inlineScripts: [] };
}
