import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { findBuild, loadPages } from "./pages.ts";

const publicUrl = "https://academy.example";
const site = { publicUrl, supportEmail: "help@academy.example", metaPixelId: null };
const built = (mark: string) => `<html${mark}><link rel="canonical" href="https://academy.invalid/contact"></html>`;

test("the public address stands in pages, site map and robots file, in every encoding", async () => {
  const ask = await serve({
    "contact.html": built(""),
    "with-session/contact.html": built(" data-session"),
    "404.html": "<html>none</html>",
    "with-session/404.html": "<html>none</html>",
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

test("what names no address is sent as the build compressed it, and scripts are left alone", async () => {
  const ask = await serve({
    "404.html": "<html>none</html>",
    "with-session/404.html": "<html>none</html>",
    "assets/page.js": 'const origin = "https://academy.invalid"',
  });
  const { body, headers } = await ask("/assets/page.js", "br");
  expect(body).toEqual(brotliCompressSync('const origin = "https://academy.invalid"'));
  expect(headers["content-length"]).toBe(String(body.length));
});

test("a name in braces stands for one part of the path, which may be anything", async () => {
  const ask = await serve({
    "user.html": "<html>user</html>",
    "with-session/user.html": "<html>user</html>",
    "404.html": "<html>none</html>",
    "with-session/404.html": "<html>none</html>",
  });
  const page = async (path: string) => (await ask(path, "identity")).body.toString();
  expect(await page("/users/ada?tab=1")).toBe("<html>user</html>");
  expect(await page("/users/")).toBe("<html>none</html>");
  expect(await page("/users/ada/more")).toBe("<html>none</html>");
});

/** A server of a build that holds these files, each with its compressed siblings. */
async function serve(files: Record<string, string>) {
  const root = await mkdtemp(join(tmpdir(), "pages-"));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const folder of ["assets", "with-session"]) await mkdir(join(root, folder));
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(root, name), text);
    await writeFile(join(root, `${name}.br`), brotliCompressSync(text));
    await writeFile(join(root, `${name}.gz`), gzipSync(text));
  }
  const pathsAndFiles = Object.entries({ "contact.html": "/contact", "user.html": "/users/{id}" })
    .filter(([file]) => file in files)
    .map(([file, path]) => ({ path, checkout: false, lessons: false, ...pair(file) }));
  const list = { pages: pathsAndFiles, notFound: pair("404.html"), styles: { issuer: null }, firstScript: "" };
  await writeFile(join(root, "pages.json"), JSON.stringify(list));

  const pages = await loadPages(
    await findBuild(root),
    { all: {}, page: {}, checkout: {}, lessons: () => ({}) },
    "sid",
    site,
  );
  const server = createServer((request, response) => {
    if (!pages.answer(request, response)) pages.answerNotFound(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;

  // Not fetch, which would take the encoding off.
  return (path: string, encoding: string, cookie = "") =>
    new Promise<{ body: Buffer; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
      const headers = { "accept-encoding": encoding, ...(cookie && { cookie }) };
      get({ port, path, headers, agent: false }, async (response) => {
        resolve({ body: Buffer.concat(await response.toArray()), headers: response.headers });
      }).on("error", reject);
    });
}

function pair(file: string) {
  return { file, fileWithSession: `with-session/${file}` };
}
