import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { placeholderOrigin, placeholderSupportEmail } from "#content/site.ts";
import { href } from "#contract/addresses.ts";
import { type Tier, tierInQuery } from "#contract/tiers.ts";
import { originsOfVideos, type VideoOrigins } from "#server/video/video.ts";
import type { Build } from "./build.ts";
import {
  compressOnce,
  compressOnDemand,
  type MemoryFile,
  memoryFile,
  sendFile,
  unpackOnDemand,
} from "./memory-file.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Never shed, as it costs next to nothing. */
    isFromMemory?: boolean;
    /** What its figures are counted under, instead of its own address. */
    countedAs?: string;
  }
}

interface Files {
  readonly plain: MemoryFile;
  readonly withSession: MemoryFile;
  /** The same for visitors who chose a plan, made with the first request. At most one for each tier. */
  readonly byPlan: Map<Tier, Files>;
}

interface Page {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly inlineScripts: readonly string[];
  readonly checkout: boolean;
  readonly lessons: boolean;
  readonly previews: boolean;
  allowed: { readonly videoOrigins: VideoOrigins; readonly headers: Readonly<Record<string, string>> } | null;
  readonly built: Files;
  rendered: { readonly facts: object; readonly files: Promise<Files> } | null;
}

/** The same object until something in it changes. */
export interface FactsNow {
  readonly facts: object;
  readonly videoOrigins: VideoOrigins;
}

interface Renderer {
  renderPage(path: string, facts: object, shells: unknown, isPreview?: boolean): Promise<string>;
}

export interface PageHeaders {
  readonly all: Readonly<Record<string, string>>;
  readonly page: (inlineScripts: readonly string[]) => Readonly<Record<string, string>>;
  readonly checkout: (inlineScripts: readonly string[]) => Readonly<Record<string, string>>;
  readonly lessons: (inlineScripts: readonly string[], videoOrigins: VideoOrigins) => Readonly<Record<string, string>>;
}

export interface PageSite {
  readonly publicUrl: string;
  readonly supportEmail: string;
  readonly metaPixelId: string | null;
}

interface Options {
  readonly headers: PageHeaders;
  readonly sessionCookie: string;
  /** Replaces the marks that the build has left. */
  readonly site: PageSite;
  readonly factsNow: () => Promise<FactsNow>;
  /** Called when a visitor without a session was sent the page at `path`. */
  readonly onVisit?: (path: string, request: FastifyRequest) => void;
}

/** The page's HTML for who is signed in; null when it is the same as for everybody. */
export type Personalise = (
  request: FastifyRequest,
  reply: FastifyReply,
  page: { readonly path: string; readonly html: () => string },
) => Promise<string | null>;
type MayPreview = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>;

/** Serves the built pages from memory, and renders a page anew once something that it shows has been published. */
export class Pages {
  private readonly build: Build;
  private readonly options: Options;
  /** At most the files of the build, about 200 of up to 600 kB: 7 MB, and 3 MB more once compressed. */
  private readonly assets: ReadonlyMap<string, MemoryFile>;
  /** At most the pages of the build, about 40, each built and once rendered, of up to 300 kB: 24 MB. */
  private readonly pages: readonly Page[];
  private readonly notFound: Page;
  private readonly builtFacts: string;
  private readonly sessionMark: string;
  private shells: Promise<unknown> | undefined;
  private compared: { readonly facts: object; readonly areBuilt: boolean } | undefined;

  private constructor(
    build: Build,
    options: Options,
    loaded: { assets: ReadonlyMap<string, MemoryFile>; pages: readonly Page[]; notFound: Page },
  ) {
    this.build = build;
    this.options = options;
    this.assets = loaded.assets;
    this.pages = loaded.pages;
    this.notFound = loaded.notFound;
    this.builtFacts = JSON.stringify(build.facts);
    this.sessionMark = `${options.sessionCookie}=`;
  }

  static async load(build: Build, options: Options): Promise<Pages> {
    const load = (page: Build["pages"][number]) => loadPage(build.root, page, options);
    return new Pages(build, options, {
      assets: await loadAssets(build.root, options.site),
      pages: await Promise.all(build.pages.map(load)),
      notFound: await load({ ...build.notFound, checkout: false, lessons: false, previews: false }),
    });
  }

  get issuerStylesheet(): string {
    return this.build.styles.issuer;
  }

  addRoutes(app: FastifyInstance, personalise: Personalise = async () => null): void {
    const options = { schema: { hide: true }, config: { isFromMemory: true } };
    const ofFiles = { ...options, config: { ...options.config, countedAs: "files of the build" } };
    for (const [path, file] of this.assets)
      app.get(path, ofFiles, async (request, reply) => sendFile(request, reply, file));
    for (const page of this.pages) {
      if (page.previews) continue;
      app.get(page.path.replaceAll(/\{(\w+)\}/g, ":$1(^.+$)"), options, (request, reply) =>
        this.send(request, reply, page, personalise),
      );
    }
  }

  /** Pages whose policy allows a video that the address names, if `mayPreview`: a link of a stranger must not widen it. */
  addPreviewRoutes(scope: FastifyInstance, mayPreview: MayPreview): void {
    for (const page of this.pages.filter(({ previews }) => previews)) {
      scope.get(page.path, { schema: { hide: true } }, async (request, reply) => {
        const { preview } = request.query as { preview?: unknown };
        const isAllowed = typeof preview === "string" && (await mayPreview(request, reply));
        const videoIds = isAllowed ? [preview] : [];
        reply.headers(this.options.headers.lessons(page.inlineScripts, originsOfVideos(videoIds)));
        return this.send(request, reply, page);
      });
    }
  }

  /** Redirects an address that differs from a page's only by capital letters or a slash at the end. */
  async sendNotFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const [path = "", query] = request.url.split(/\?(.*)/s, 2);
    const meant = this.pathMeant(path);
    if (meant) return reply.redirect(query === undefined ? meant : `${meant}?${query}`, 308);
    return this.send(request, reply.code(404), this.notFound);
  }

  /** The page's address that is meant; null when there is none, or when it is exact. */
  private pathMeant(path: string): string | null {
    const given = path.split("/");
    while (given.at(-1) === "") given.pop();
    for (const page of this.pages) {
      const parts = page.path.split("/");
      if (parts.length !== given.length) continue;
      const isMeant = parts.every((part, at) => (part.startsWith("{") ? given[at] : part === given[at]?.toLowerCase()));
      if (isMeant) return parts.map((part, at) => (part.startsWith("{") ? given[at] : part)).join("/");
    }
    return null;
  }

  private async send(
    request: FastifyRequest,
    reply: FastifyReply,
    page: Page,
    personalise?: Personalise,
  ): Promise<FastifyReply> {
    try {
      const { facts, videoOrigins } = await this.options.factsNow();
      const tier =
        page.path === href.signup() ? tierInQuery(request.query as { tier?: unknown; price?: unknown }) : null;
      const files = await this.filesOf(page, facts, tier);
      if (page.lessons) reply.headers(this.lessonHeaders(page, videoOrigins));
      const hasSession = request.headers.cookie?.includes(this.sessionMark);
      if (!hasSession) this.options.onVisit?.(page.path, request);
      if (!hasSession) return sendFile(request, reply, files.plain);
      const { withSession } = files;
      const html = await personalise?.(request, reply, {
        path: page.path,
        html: () => withSession.codings.identity().toString(),
      });
      if (!html) return sendFile(request, reply, withSession);
      const bytes = Buffer.from(html);
      const own = memoryFile("page.html", bytes, await compressOnce(request, bytes), withSession.headers);
      return sendFile(request, reply, { ...own, headers: { ...own.headers, "cache-control": "private, no-store" } });
    } catch (error) {
      request.log.error({ err: error, page: page.path }, "a page could not be rendered");
      return reply
        .code(503)
        .headers({ "content-type": "text/plain; charset=utf-8", "retry-after": "5" })
        .send("This page is temporarily unavailable. Try again in a minute.\n");
    }
  }

  private async filesOf(page: Page, facts: object, tier: Tier | null): Promise<Files> {
    const files = await this.filesWithoutPlan(page, facts);
    return tier ? filesForPlan(files, tier) : files;
  }

  private filesWithoutPlan(page: Page, facts: object): Files | Promise<Files> {
    if (this.compared?.facts !== facts) {
      this.compared = { facts, areBuilt: JSON.stringify(facts) === this.builtFacts };
    }
    if (this.compared.areBuilt) return page.built;
    if (page.rendered?.facts !== facts) {
      const files = this.render(page, facts);
      page.rendered = { facts, files };
      files.catch(() => {
        if (page.rendered?.files === files) page.rendered = null;
      });
    }
    return page.rendered.files;
  }

  /** The page at `path` rendered with changed facts; null when there is no such page. */
  async preview(
    path: string,
    change: (facts: object) => Promise<object>,
  ): Promise<{ html: Buffer; headers: Readonly<Record<string, string>> } | null> {
    const page = this.pages.find((one) => one.path === path);
    if (!page) return null;
    const { facts, videoOrigins } = await this.options.factsNow();
    const html = markedWithSession(await this.htmlOf(page, await change(facts), true));
    const headers = page.lessons ? this.lessonHeaders(page, videoOrigins) : page.headers;
    return { html: fillMarks(Buffer.from(html), this.options.site, page.checkout), headers };
  }

  private async htmlOf(page: Page, facts: object, isPreview = false): Promise<string> {
    const folder = join(this.build.root, "../renderers", this.build.renderer);
    this.shells ??= readFile(join(folder, "shells.json"), "utf8").then(JSON.parse);
    // Loads the renderer with the first page that differs from the build, to save memory until then.
    const { renderPage }: Renderer = await import(pathToFileURL(join(folder, "entry.mjs")).href);
    return renderPage(page.path, facts, await this.shells, isPreview);
  }

  private async render(page: Page, facts: object): Promise<Files> {
    const html = await this.htmlOf(page, facts);
    const fileOf = (text: string) =>
      htmlFile(fillMarks(Buffer.from(text), this.options.site, page.checkout), page.headers);
    return { plain: fileOf(html), withSession: fileOf(markedWithSession(html)), byPlan: new Map() };
  }

  private lessonHeaders(page: Page, videoOrigins: VideoOrigins): Readonly<Record<string, string>> {
    if (page.allowed?.videoOrigins !== videoOrigins) {
      const headers = { ...this.options.headers.lessons(page.inlineScripts, videoOrigins) };
      page.allowed = { videoOrigins, headers };
    }
    return page.allowed.headers;
  }
}

function markedWithSession(html: string): string {
  return html.replace("<html ", "<html data-session ");
}

function filesForPlan(files: Files, tier: Tier): Files {
  const made = files.byPlan.get(tier);
  if (made) return made;
  const fileOf = ({ codings, headers }: MemoryFile) =>
    htmlFile(Buffer.from(codings.identity().toString().replace("<html ", `<html data-plan="${tier}" `)), headers);
  const marked = { plain: fileOf(files.plain), withSession: fileOf(files.withSession), byPlan: new Map() };
  files.byPlan.set(tier, marked);
  return marked;
}

function htmlFile(bytes: Buffer, headers: Readonly<Record<string, string>>): MemoryFile {
  return memoryFile("rendered.html", bytes, compressOnDemand(bytes), headers);
}

async function loadAssets(root: string, site: Options["site"]): Promise<Map<string, MemoryFile>> {
  const assets = new Map<string, MemoryFile>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /\.(html|br)$/.test(entry.name) || entry.name === "pages.json") continue;
    const name = join(entry.parentPath, entry.name).slice(root.length + 1);
    const path = join(root, name);
    const file = shared.get(path) ?? loadFile(root, name, site);
    if (!hasMarks(name)) shared.set(path, file);
    assets.set(`/${name}`, await file);
  }
  return assets;
}

/** Is read once for all academies of a process. At most the assets of the one build. */
const shared = new Map<string, Promise<MemoryFile>>();

/** Whether the build leaves marks in it. */
function hasMarks(name: string): boolean {
  return /\.(html|xml|txt)$/.test(name);
}

async function loadPage(
  root: string,
  { path, file, fileWithSession, inlineScripts, checkout, lessons, previews }: Build["pages"][number],
  { headers: all, site }: Options,
): Promise<Page> {
  const headers = checkout ? all.checkout(inlineScripts) : lessons || previews ? {} : all.page(inlineScripts);
  const plain = await loadFile(root, file, site, { headers, checkout });
  const withSession = await loadFile(root, fileWithSession, site, { headers, checkout });
  const built = { plain, withSession, byPlan: new Map() };
  return { path, headers, inlineScripts, checkout, lessons, previews, built, rendered: null, allowed: null };
}

async function loadFile(
  root: string,
  name: string,
  site: Options["site"],
  { headers = {}, checkout = false } = {},
): Promise<MemoryFile> {
  const path = join(root, name);
  const written = await readFile(path);
  const bytes = hasMarks(name) ? fillMarks(written, site, checkout) : written;
  const br = await readFile(`${path}.br`).catch(() => null);
  if (!br) return memoryFile(name, bytes, { identity: () => bytes }, headers);
  // The compressed file of the build no longer fits.
  return memoryFile(name, bytes, bytes === written ? unpackOnDemand(br) : compressOnDemand(bytes), headers);
}

/**
 * Replaces the build's marks; returns the same buffer when there are none. A page with a card form is told that there
 * is a pixel, not its id.
 */
function fillMarks(
  written: Buffer,
  { publicUrl, supportEmail, metaPixelId }: Options["site"],
  checkout: boolean,
): Buffer {
  const before = written.toString();
  let text = before.replaceAll(placeholderOrigin, publicUrl).replaceAll(placeholderSupportEmail, () => supportEmail);
  if (metaPixelId) text = text.replace("<html ", `<html data-pixel="${checkout ? "" : metaPixelId}" `);
  return text === before ? written : Buffer.from(text);
}
