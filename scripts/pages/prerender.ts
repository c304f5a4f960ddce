import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { headOf, robotsOf, sitemapOf } from "./page-head.ts";

interface Page {
  path: string;
  file: string;
  prerendered: boolean;
  checkout: boolean;
  lessons?: boolean;
}

/** What app/prerender.tsx exports, once bundled. */
interface Prerenderer {
  pages: readonly Page[];
  notFoundPage: Page;
  prerender(path: string): Promise<{ head: string; body: string; data: string | null }>;
}

type Manifest = Record<string, { file: string; imports?: string[]; assets?: string[] }>;

/**
 * The same page twice: the second is marked (`data-session`) for browsers that come with a session's cookie, so that the
 * pages of visitors need not ask who is signed in.
 */
interface PageFiles {
  file: string;
  fileWithSession: string;
}

/** What dist/client/pages.json says; the server answers pages by it and decides nothing about them itself. */
interface PageList {
  pages: (PageFiles & { path: string; checkout: boolean; lessons: boolean })[];
  /** For any other path, sent with status 404. */
  notFound: PageFiles;
  /** Style sheets for pages that are not made here. */
  styles: { issuer: string };
}

/**
 * Writes the HTML files of each page, the list of them, and what crawlers ask for. Needs both bundles in place; returns
 * the number of pages.
 */
export async function writePages({ client, server }: { client: string; server: string }): Promise<number> {
  const { pages, notFoundPage, prerender }: Prerenderer = await import(join(server, "prerender.js"));
  const manifest = JSON.parse(await readFile(join(client, "manifest.json"), "utf8")) as Manifest;
  const template = await withStyles(client, await readFile(join(client, "index.html"), "utf8"));
  const list: PageList = {
    pages: [],
    notFound: filesOf(notFoundPage.path),
    styles: { issuer: `/${chunk(manifest, "ui/styles/issuer.css").file}` },
  };

  for (const page of [...pages, notFoundPage]) {
    const rendered = page.prerendered
      ? await prerender(page.path)
      : { head: "<title>Academy</title>", body: "", data: null };
    const head = headOf(page.path, page.prerendered && page !== notFoundPage, rendered.head);
    const html = template
      .replace("<!--head-->", () => rendered.head + head)
      .replace("<!--app-->", () => rendered.body)
      .replace("<!--data-->", () => (rendered.data ? dataElement(rendered.data) : needsScript(page)))
      .replace("<!--scripts-->", () => scriptsOf(manifest, page));
    refuseInlineScript(page, html);
    const files = filesOf(page.path);
    await write(join(client, files.file), html);
    await write(join(client, files.fileWithSession), html.replace("<html ", "<html data-session "));
    if (page === notFoundPage) continue;
    list.pages.push({ path: page.path, ...files, checkout: page.checkout, lessons: page.lessons ?? false });
  }

  const pathsOf = (wanted: boolean) =>
    pages.filter(({ prerendered }) => prerendered === wanted).map(({ path }) => path);
  await writeFile(join(client, "sitemap.xml"), sitemapOf(pathsOf(true)));
  await writeFile(join(client, "robots.txt"), robotsOf(pathsOf(false)));
  await writeFile(join(client, "pages.json"), `${JSON.stringify(list, null, 2)}\n`);
  await rm(join(client, "manifest.json"));
  return pages.length + 1;
}

/** "/" → "index.html", "/admin/upload" → "admin/upload.html" */
function filesOf(path: string): PageFiles {
  const file = path === "/" ? "index.html" : `${path.slice(1)}.html`;
  return { file, fileWithSession: `with-session/${file}` };
}

async function write(file: string, html: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, html);
}

function chunk(manifest: Manifest, source: string): Manifest[string] {
  const found = manifest[source];
  if (!found) throw new Error(`The build made nothing from app/${source}; is it named rightly in app/routes.ts?`);
  return found;
}

/**
 * The template with its style sheet inside: it is small, and asking for it would hold back the first paint by two round
 * trips.
 */
async function withStyles(client: string, template: string): Promise<string> {
  const [link = "", file = ""] = /<link rel="stylesheet"[^>]* href="\/([^"]+)">/.exec(template) ?? [];
  const styles = await readFile(join(client, file), "utf8");
  await rm(join(client, file));
  return template.replace(link, () => `<style>${styles}</style>`);
}

/** The fonts, and their files by name, which are otherwise found out about when the sheet is there. */
function fontsOf(manifest: Manifest): string {
  const { file: sheet, assets = [] } = chunk(manifest, "ui/fonts/fonts.css");
  const fonts = assets.filter((asset) => /-basic-[^/]+\.woff2$/.test(asset));
  if (fonts.length !== 2) throw new Error("The basic fonts are not among the style sheet's files");
  const preloads = fonts.map((font) => `<link rel="preload" href="/${font}" as="font" type="font/woff2" crossorigin>`);
  return `<link rel="stylesheet" href="/${sheet}">${preloads.join("")}`;
}

/**
 * The scripts of a page, all of them named, so that they are not found out about one after the other. In a template
 * nothing is fetched: app/start.ts takes them out of it.
 */
function scriptsOf(manifest: Manifest, page: Page): string {
  const { file: entry } = chunk(manifest, "browser.tsx");
  const files = importsOf(manifest, page.file, importsOf(manifest, "browser.tsx"));
  files.delete(entry);
  const links = [...files].map((file) => `<link rel="modulepreload" href="/${file}">`).join("");
  const script = `<script type="module" src="/${entry}"></script>`;
  const fonts = fontsOf(manifest);
  return page.prerendered
    ? `<template id="scripts">${fonts}${links}${script}</template><noscript>${fonts}</noscript>`
    : `${links}<template id="scripts">${fonts}${script}</template>`;
}

function importsOf(manifest: Manifest, source: string, found = new Set<string>()): Set<string> {
  const { file, imports = [] } = chunk(manifest, source);
  if (!found.has(file)) {
    found.add(file);
    for (const imported of imports) importsOf(manifest, imported, found);
  }
  return found;
}

function dataElement(json: string): string {
  return `<script type="application/json" id="query-data">${json}</script>`;
}

function needsScript(page: Page): string {
  return page.prerendered ? "" : "<noscript>This page needs JavaScript.</noscript>";
}

/** The content security policy would block it without a word. */
function refuseInlineScript(page: Page, html: string): void {
  const inline = /<script(?![^>]*\ssrc=)(?![^>]*type="application\/(?:ld\+)?json")[^>]*>/.exec(html);
  if (inline) throw new Error(`${page.path} has an inline script: ${inline[0]}`);
  const style = /<[a-z]+[^>]*\sstyle="[^"]*"/.exec(html);
  if (style) throw new Error(`${page.path} has an inline style: ${style[0]}`);
}
