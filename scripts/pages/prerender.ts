import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { robotsOf, sitemapOf } from "#app/page-head.ts";
import type { PageFacts } from "#contract/page-facts.ts";
import { builtInFacts } from "./built-in-facts.ts";
import { stylesOf } from "./page-styles.ts";

interface Page {
  path: string;
  file: string;
  prerendered: boolean;
  checkout: boolean;
  lessons?: boolean;
}

/** What app/prerender.tsx exports, once bundled. */
interface Renderer {
  pages: readonly Page[];
  notFoundPage: Page;
  renderPage(path: string, facts: PageFacts, frames: Frames): Promise<string>;
}

/** As app/prerender.tsx has it. */
interface Frames {
  template: string;
  stylesheet: string;
  pages: Record<string, { rest: string; styles: string | null }>;
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
  notFound: PageFiles & { path: string };
  /** Style sheets for pages that are not made here. */
  styles: { issuer: string };
  /** What a content security policy calls the one script that stands in the pages themselves. */
  firstScript: string;
  /** What the pages say of plans, offer and catalogue: when that is published anew, the renderer makes them again. */
  facts: PageFacts;
  /** Below dist/renderers. */
  renderer: string;
}

/**
 * Writes the HTML files of each page, the list of them, what the renderer needs to make them again, and what crawlers ask
 * for. Needs both bundles; returns the number of pages.
 */
export async function writePages({ client, renderer }: { client: string; renderer: string }): Promise<number> {
  const { pages, notFoundPage, renderPage }: Renderer = await import(join(renderer, "prerender.js"));
  const manifest = JSON.parse(await readFile(join(client, "manifest.json"), "utf8")) as Manifest;
  const built = await readFile(join(client, "index.html"), "utf8");
  const { template, firstScript } = await withFirstScript(client, built);
  const styles = await stylesIn(client, template);
  const facts = builtInFacts();
  const frames: Frames = { template, stylesheet: styles.link, pages: {} };
  const list: PageList = {
    pages: [],
    notFound: { path: notFoundPage.path, ...filesOf(notFoundPage.path) },
    styles: { issuer: `/${chunk(manifest, "ui/styles/issuer.css").file}` },
    firstScript: `'sha256-${createHash("sha256").update(firstScript).digest("base64")}'`,
    facts,
    renderer: basename(renderer),
  };

  for (const page of [...pages, notFoundPage]) {
    const frame: Frames["pages"][string] = { rest: restOf(manifest, page, styles.link), styles: null };
    frames.pages[page.path] = frame;
    if (page.prerendered) frame.styles = stylesOf(styles.sheet, await renderPage(page.path, facts, frames));
    const html = await renderPage(page.path, facts, frames);
    refuseInlineScript(page, html.replace(`<script type="module">${firstScript}</script>`, ""));
    const files = filesOf(page.path);
    await write(join(client, files.file), html);
    await write(join(client, files.fileWithSession), html.replace("<html ", "<html data-session "));
    if (page === notFoundPage) continue;
    list.pages.push({ path: page.path, ...files, checkout: page.checkout, lessons: page.lessons ?? false });
  }
  await writeFile(join(renderer, "frames.json"), JSON.stringify(frames));

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

/** The template with its script inside: small as it is, asking for it would hold back all others by a round trip. */
async function withFirstScript(client: string, template: string): Promise<{ template: string; firstScript: string }> {
  const [element = "", file = ""] = /<script type="module"[^>]* src="\/([^"]+)"><\/script>/.exec(template) ?? [];
  const firstScript = (await readFile(join(client, file), "utf8")).trim();
  await rm(join(client, file));
  if (/^import\b/.test(firstScript)) throw new Error("app/start.ts shares code with other scripts and must not");
  return { template: template.replace(element, () => `<script type="module">${firstScript}</script>`), firstScript };
}

/** The style sheet of all pages, and the element by which the template asks for it. */
async function stylesIn(client: string, template: string): Promise<{ sheet: string; link: string }> {
  const [link = "", file = ""] = /<link rel="stylesheet"[^>]* href="\/([^"]+)">/.exec(template) ?? [];
  return { sheet: await readFile(join(client, file), "utf8"), link };
}

/**
 * What a page loads besides its HTML, all of it named, so that nothing is found out about by something else. A prerendered
 * page needs none of it to be shown, since it has its own part of the style sheet: in a template nothing is fetched, and
 * app/start.ts takes it out.
 */
function restOf(manifest: Manifest, page: Page, stylesheet: string): string {
  const { file: entry } = chunk(manifest, "browser.tsx");
  const files = importsOf(manifest, "browser.tsx", importsOf(manifest, page.file));
  files.delete(entry);
  const preload = (file: string) => `<link rel="modulepreload" href="/${file}">`;
  const all = fontsOf(manifest) + [...files].map(preload).join("");
  return page.prerendered
    ? `<template id="rest">${stylesheet}${all}${preload(entry)}</template><noscript>${stylesheet}</noscript>`
    : `${all}<script type="module" src="/${entry}"></script>`;
}

/** The basic fonts, which are otherwise found out about when the style sheet is there. */
function fontsOf(manifest: Manifest): string {
  const { assets = [] } = chunk(manifest, "index.html");
  const fonts = assets.filter((asset) => /-basic-[^/]+\.woff2$/.test(asset));
  if (fonts.length !== 2) throw new Error("The basic fonts are not among the style sheet's files");
  return fonts.map((font) => `<link rel="preload" href="/${font}" as="font" type="font/woff2" crossorigin>`).join("");
}

/** The files of a module, each behind those that it imports. */
function importsOf(
  manifest: Manifest,
  source: string,
  found = new Set<string>(),
  seen = new Set<string>(),
): Set<string> {
  if (seen.has(source)) return found;
  seen.add(source);
  const { file, imports = [] } = chunk(manifest, source);
  for (const imported of imports) importsOf(manifest, imported, found, seen);
  return found.add(file);
}

/** The content security policy would block it without a word. */
function refuseInlineScript(page: Page, html: string): void {
  const inline = /<script(?![^>]*\ssrc=)(?![^>]*type="application\/(?:ld\+)?json")[^>]*>/.exec(html);
  if (inline) throw new Error(`${page.path} has an inline script: ${inline[0]}`);
}
