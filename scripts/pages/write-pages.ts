import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PageFacts } from "#contract/page-facts.ts";
import type { Build } from "#server/http/pages/build.ts";
import type { Shell } from "#site/shell.ts";
import { builtInFacts } from "./built-in-facts.ts";
import { robotsOf, sitemapOf } from "./crawlers.ts";

/** A page of app/routes.ts. */
interface Page {
  path: string;
  load: () => Promise<unknown>;
  checkout?: true;
  lessons?: true;
  previews?: true;
}

/** The exports of the built site/render.ts. */
interface Renderer {
  renderPage(path: string, facts: PageFacts, shells: Record<string, Shell>): Promise<string>;
}

type Manifest = Record<string, { file: string; imports?: string[]; assets?: string[] }>;

/** The content of dist/client/pages.json, by which the server serves pages. */
type PageList = Omit<Build, "root">;
type PageFiles = Build["notFound"];

const publicFolder = fileURLToPath(new URL("../../site/pages", import.meta.url));

/**
 * Writes the HTML files of all pages, their list, the input of the renderer, and the crawlers' files. Needs both
 * bundles.
 * @returns the number of pages
 */
export async function writePages({ client, renderer }: { client: string; renderer: string }): Promise<number> {
  const { renderPage }: Renderer = await import(join(renderer, "entry.mjs"));
  const pages = await listPages();
  const manifest = JSON.parse(await readFile(join(client, "manifest.json"), "utf8")) as Manifest;
  const facts = builtInFacts();
  const shells = Object.fromEntries(pages.map((page) => [page.path, shellOf(manifest, page)]));
  const publicPaths = await listPublicPaths();

  async function writePage(path: string): Promise<{ html: string; files: PageFiles }> {
    const html = await renderPage(path, facts, shells);
    const file = path === "/" ? "index.html" : `${path.slice(1)}.html`;
    const fileWithSession = `with-session/${file}`;
    await write(join(client, file), html);
    await write(join(client, fileWithSession), html.replace("<html ", "<html data-session "));
    return { html, files: { path, file, fileWithSession, inlineScripts: hashesOf(html) } };
  }

  const list: PageList = {
    pages: [],
    notFound: (await writePage("/404")).files,
    styles: { issuer: `/${chunk(manifest, "ui/styles/issuer.css").file}` },
    facts,
    renderer: basename(renderer),
  };
  const byPath = new Map(pages.map((page) => [page.path, page]));
  for (const path of [...publicPaths, ...pages.map(({ path }) => path)]) {
    const { html, files } = await writePage(path);
    const lessons = /<html[^>]* data-lessons/.test(html);
    const { checkout = false, previews = false } = byPath.get(path) ?? {};
    list.pages.push({ ...files, checkout, lessons, previews });
  }
  await writeFile(join(renderer, "shells.json"), JSON.stringify(shells));
  await writeFile(join(client, "sitemap.xml"), sitemapOf(publicPaths));
  await writeFile(join(client, "robots.txt"), robotsOf(pages.map(({ path }) => path)));
  await writeFile(join(client, "pages.json"), `${JSON.stringify(list, null, 2)}\n`);
  await rm(join(client, "manifest.json"));
  return list.pages.length + 1;
}

/** The pages of the application. Path parameters in braces are part of the file names. */
async function listPages(): Promise<Page[]> {
  const { pages }: { pages: readonly Page[] } = await import(new URL("../../app/routes.ts", import.meta.url).href);
  return pages.map((page) => ({ ...page, path: page.path.replaceAll(/:(\w+)/g, "{$1}") }));
}

async function listPublicPaths(): Promise<string[]> {
  const names = (await readdir(publicFolder)).map((name) => basename(name, ".astro"));
  const paths = names.filter((name) => name !== "404" && !name.startsWith("[")).map((name) => `/${name}`);
  return paths.map((path) => (path === "/index" ? "/" : path)).sort();
}

async function write(file: string, html: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, html);
}

/** Hashes of inline scripts, without data blocks. */
function hashesOf(html: string): string[] {
  const scripts = [...html.matchAll(/<script(?:\s+type="module")?>(.*?)<\/script>/gs)];
  return [...new Set(scripts.map(([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`))];
}

/** Preloads what the page would otherwise discover late. */
function shellOf(manifest: Manifest, page: Page): Shell {
  const { file: entry } = chunk(manifest, "app/browser.tsx");
  const files = importsOf(manifest, "app/browser.tsx", importsOf(manifest, fileOf(page)));
  files.delete(entry);
  const preload = (file: string) => `<link rel="modulepreload" href="/${file}">`;
  const stylesheet = `<link rel="stylesheet" href="/${chunk(manifest, "ui/styles/theme.css").file}">`;
  const script = `<script type="module" src="/${entry}"></script>`;
  const head = [stylesheet, fontsOf(manifest), ...[...files].map(preload), script].join("");
  return { head, checkout: page.checkout ?? false, lessons: page.lessons ?? false };
}

/** The chunk that the page's route imports, from the manifest. */
function fileOf({ path, load }: Page): string {
  const [, file] = /import\("\.\/(.+?)"\)/.exec(String(load)) ?? [];
  if (!file) throw new Error(`app/routes.ts does not say by import("./…") which file shows ${path}`);
  return `app/${file}`;
}

function chunk(manifest: Manifest, source: string): Manifest[string] {
  const found = manifest[source];
  if (!found) throw new Error(`The build made nothing from ${source}`);
  return found;
}

/** The basic fonts, which browsers would otherwise discover after the style sheet. */
function fontsOf(manifest: Manifest): string {
  const { assets = [] } = chunk(manifest, "ui/styles/theme.css");
  const fonts = assets.filter((asset) => /-basic-[^/]+\.woff2$/.test(asset));
  if (fonts.length !== 2) throw new Error("The basic fonts are not among the style sheet's files");
  return fonts.map((font) => `<link rel="preload" href="/${font}" as="font" type="font/woff2" crossorigin>`).join("");
}

/** The chunks of a module, each after those that it imports. */
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
