import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Logger } from "pino";
import { z } from "zod";
import { placeholderOrigin, placeholderSupportEmail } from "#content/site.ts";
import type { Config } from "#server/config.ts";
import type { VideoOrigins } from "#server/video/video.ts";

const PageFiles = z.object({ file: z.string(), fileWithSession: z.string() });

/**
 * What the build says about the pages it made: which address gets which file, and which one when the browser comes with
 * a session's cookie.
 */
const Manifest = z.object({
  pages: z.array(PageFiles.extend({ path: z.string(), checkout: z.boolean(), lessons: z.boolean() })),
  notFound: PageFiles.extend({ path: z.string() }),
  styles: z.object({ issuer: z.string().nullable() }),
  firstScript: z.string(),
  facts: z.unknown(),
  renderer: z.string(),
});

/** A build and where it lies. */
export type Build = z.infer<typeof Manifest> & { root: string };

const mimeTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
  ".xml": "application/xml",
};

type Encoding = "br" | "gzip" | "identity";

/** Files that the build may have left marks in. */
const mayHoldMarks = /\.(html|xml|txt)$/;

/** For files that are no longer what the build compressed: some milliseconds each, and a tenth larger than its best. */
const compressAgain = {
  br: (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes: Buffer) => gzipSync(bytes),
};

/** As small as the build makes it; beside the event loop, as it takes a tenth of a second. */
const compressBest = (bytes: Buffer) =>
  promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });

interface Variant {
  readonly body: Buffer;
  /** Names and values in turns, as writeHead takes them fastest. */
  readonly headers: string[];
}

interface File {
  readonly etag: string;
  /** Functions, as some are made when the first request asks for them. */
  readonly variants: Partial<Record<Encoding, () => Variant>> & { identity: () => Variant };
}

/** A page's HTML, and the same for browsers that come with a session's cookie. */
interface Files {
  readonly plain: File;
  readonly withSession: File;
}

interface Page {
  readonly path: string;
  /** Headers of its own. */
  readonly extra: Readonly<Record<string, string>>;
  /** Lessons play here: what it may load follows from what is published. */
  readonly lessons: boolean;
  readonly built: Files;
  /** Its HTML as it was last made anew, and what it says. */
  made: { readonly facts: object; readonly files: Promise<Files> } | null;
}

/** What pages say and allow now; the same object for as long as nothing of it changes. */
interface FactsNow {
  readonly facts: object;
  readonly videoOrigins: VideoOrigins;
}

/** What app/prerender.tsx exports, once bundled. */
interface Renderer {
  renderPage(path: string, facts: object, frames: unknown): Promise<string>;
}

export interface PageHeaders {
  /** For every answer. */
  readonly all: Readonly<Record<string, string>>;
  readonly page: Readonly<Record<string, string>>;
  readonly checkout: Readonly<Record<string, string>>;
  /** For the pages on which videos from these addresses play. */
  readonly lessons: (videoOrigins: VideoOrigins) => Readonly<Record<string, string>>;
}

export interface Pages {
  /** Answers a page, as it is at this request, or an asset; false when the address is neither. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** The not-found page with status 404. */
  answerNotFound(request: IncomingMessage, response: ServerResponse): void;
  /** The address of the sign-in pages' styles, when they were built. */
  readonly issuerStylesheet: string | null;
}

/** There are no pages to send; the message is one sentence for the operator. */
export class NoPages extends Error {
  override name = "NoPages";
}

/** @throws NoPages when `root` holds no build, or one of another release. */
export async function findBuild(root: string): Promise<Build> {
  const text = await readFile(join(root, "pages.json"), "utf8").catch(() => "null");
  const parsed = Manifest.safeParse(JSON.parse(text));
  if (!parsed.success) throw new NoPages("The pages in dist/ are not of this release: run npm run build first.");
  return { root, ...parsed.data };
}

/**
 * Reads the built pages, assets and their compressed siblings into memory. A page is a few kilobytes and every visitor
 * wants the same ones: from memory they are answered several times as fast as through a file. A page that says something
 * which has been published anew since it was built or last made is made again before it is sent.
 * @param sessionCookie the name of the cookie by which a browser may be signed in.
 * @param site stands in the pages from here on where the build, which cannot know it, left marks.
 * @param factsNow is asked with every page.
 */
export async function loadPages(
  { root, ...manifest }: Build,
  headers: PageHeaders,
  sessionCookie: string,
  site: Pick<Config, "publicUrl" | "supportEmail" | "metaPixelId">,
  { factsNow, log }: { factsNow: () => Promise<FactsNow>; log: Logger },
): Promise<Pages> {
  const names = (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  const exists = new Set(names);
  const renderers = join(root, "../renderers", manifest.renderer);
  const builtFacts = JSON.stringify(manifest.facts);

  /** `stored` reads what the build compressed, by the suffix of its name. */
  const fileOf = async (
    name: string,
    written: Buffer,
    extra: Readonly<Record<string, string>>,
    stored: ((suffix: string) => Promise<Buffer>) | null,
  ): Promise<File> => {
    const identity = mayHoldMarks.test(name) ? fillMarks(written, site, extra === headers.checkout) : written;
    const isAsBuilt = stored !== null && identity === written;
    const isCompressed = stored === null || exists.has(`${name}.br`);
    const etag = `"${createHash("sha256").update(identity).digest("base64url").slice(0, 22)}"`;
    const common = {
      ...headers.all,
      ...extra,
      "content-type": mimeTypes[extname(name)] ?? "application/octet-stream",
      "cache-control": name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      etag,
    };
    const variantOf = (body: Buffer, encoding: Encoding): Variant => {
      const own = {
        ...common,
        "content-length": String(body.length),
        ...(isCompressed && {
          vary: name.endsWith(".html") ? "accept-encoding, cookie" : "accept-encoding",
        }),
        ...(encoding !== "identity" && { "content-encoding": encoding }),
      };
      return { body, headers: Object.entries(own).flat() };
    };
    const variant = async (suffix: string, encoding: Encoding): Promise<() => Variant> => {
      if (!isAsBuilt && encoding !== "identity") {
        let made: Variant | undefined;
        return () => {
          if (made) return made;
          made = variantOf(compressAgain[encoding](identity), encoding);
          const better = (body: Buffer) => {
            made = variantOf(body, encoding);
          };
          if (encoding === "br") void compressBest(identity).then(better);
          return made;
        };
      }
      const made = variantOf(suffix && stored ? await stored(suffix) : identity, encoding);
      return () => made;
    };
    return {
      etag,
      variants: {
        identity: await variant("", "identity"),
        ...(isCompressed && { br: await variant(".br", "br"), gzip: await variant(".gz", "gzip") }),
      },
    };
  };

  const load = async (name: string, extra: Readonly<Record<string, string>>): Promise<File> => {
    const path = join(root, name);
    return fileOf(name, await readFile(path), extra, (suffix) => readFile(path + suffix));
  };

  const loadPage = async (
    { path, file, fileWithSession }: z.infer<typeof Manifest>["notFound"],
    extra: Readonly<Record<string, string>>,
    lessons: boolean,
  ): Promise<Page> => {
    const built = { plain: await load(file, extra), withSession: await load(fileWithSession, extra) };
    return { path, extra, lessons, built, made: null };
  };

  const assets = new Map<string, File>();
  for (const name of names) {
    if (/\.(html|br|gz)$/.test(name) || name === "pages.json") continue;
    assets.set(`/${name}`, await load(name, {}));
  }
  const pages = new Map<string, Page>();
  const patterns: [RegExp, Page][] = [];
  for (const page of manifest.pages) {
    const extra = page.checkout ? headers.checkout : page.lessons ? {} : headers.page;
    const loaded = await loadPage(page, extra, page.lessons);
    if (page.path.includes("{")) patterns.push([patternOf(page.path), loaded]);
    else pages.set(page.path, loaded);
  }
  const notFound = await loadPage(manifest.notFound, headers.page, false);

  let frames: Promise<unknown> | undefined;
  const make = async ({ path, extra }: Page, facts: object): Promise<Files> => {
    frames ??= readFile(join(renderers, "frames.json"), "utf8").then(JSON.parse);
    // Only now: it takes memory that an academy which has published nothing yet would hold for nothing.
    const { renderPage }: Renderer = await import(pathToFileURL(join(renderers, "prerender.js")).href);
    const html = await renderPage(path, facts, await frames);
    const fileFrom = (text: string) => fileOf("made.html", Buffer.from(text), extra, null);
    return { plain: await fileFrom(html), withSession: await fileFrom(html.replace("<html ", "<html data-session ")) };
  };

  /** Whether facts are those of the build; compared once for each. */
  let compared: { facts: object; areBuilt: boolean } | undefined;
  const filesOf = (page: Page, facts: object): Files | Promise<Files> => {
    if (compared?.facts !== facts) compared = { facts, areBuilt: JSON.stringify(facts) === builtFacts };
    if (compared.areBuilt) return page.built;
    if (page.made?.facts !== facts) {
      const files = make(page, facts);
      page.made = { facts, files };
      files.catch(() => {
        if (page.made?.files === files) page.made = null;
      });
    }
    return page.made.files;
  };

  let allowed: { videoOrigins: VideoOrigins; headers: string[] } | undefined;
  const lessonHeaders = (videoOrigins: VideoOrigins): string[] => {
    if (allowed?.videoOrigins !== videoOrigins) {
      allowed = { videoOrigins, headers: Object.entries(headers.lessons(videoOrigins)).flat() };
    }
    return allowed.headers;
  };

  const sessionMark = `${sessionCookie}=`;
  const answerPage = async (request: IncomingMessage, response: ServerResponse, page: Page, status: 200 | 404) => {
    try {
      const { facts, videoOrigins } = await factsNow();
      const files = await filesOf(page, facts);
      const file = request.headers.cookie?.includes(sessionMark) ? files.withSession : files.plain;
      send(request, response, file, status, page.lessons ? lessonHeaders(videoOrigins) : []);
    } catch (error) {
      log.error({ err: error, page: page.path }, "a page could not be made");
      response.writeHead(503, { ...headers.all, "content-type": "text/plain; charset=utf-8", "retry-after": "5" });
      response.end("This page is temporarily unavailable. Try again in a minute.\n");
    }
  };

  return {
    issuerStylesheet: manifest.styles.issuer,
    answer(request, response) {
      if (request.method !== "GET" && request.method !== "HEAD") return false;
      const url = request.url ?? "/";
      const query = url.indexOf("?");
      const path = query === -1 ? url : url.slice(0, query);
      const asset = assets.get(path);
      const page = pages.get(path) ?? (asset ? undefined : patterns.find(([pattern]) => pattern.test(path))?.[1]);
      if (page) void answerPage(request, response, page, 200);
      else if (asset) send(request, response, asset, 200, []);
      return page !== undefined || asset !== undefined;
    },
    answerNotFound: (request, response) => void answerPage(request, response, notFound, 404),
  };
}

/**
 * The file with what the configuration says; the same buffer when it held no mark. Where the pixel is configured, pages
 * carry its id, and those with a card form only that there is one: what is announced on them waits for another page.
 */
function fillMarks(built: Buffer, site: Parameters<typeof loadPages>[3], hasCardForm: boolean): Buffer {
  const before = built.toString();
  let text = before
    .replaceAll(placeholderOrigin, site.publicUrl)
    .replaceAll(placeholderSupportEmail, site.supportEmail);
  if (site.metaPixelId) text = text.replace("<html ", `<html data-pixel="${hasCardForm ? "" : site.metaPixelId}" `);
  return text === before ? built : Buffer.from(text);
}

/** "/admin/users/{id}" → every path with one part in the place of the braces. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);
}

/** The coding is among those accepted, and not with the weight nought. */
const accepts = {
  br: /(?:^|[,\s])br(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))\s*(?:[,;]|$)/,
  gzip: /(?:^|[,\s])gzip(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))\s*(?:[,;]|$)/,
} as const;

/** `more` headers, as names and values in turns, belong to this answer alone. */
function send(
  request: IncomingMessage,
  response: ServerResponse,
  file: File,
  status: 200 | 404,
  more: readonly string[],
): void {
  const accepted = request.headers["accept-encoding"] ?? "";
  const { variants } = file;
  const variantFor =
    (variants.br && accepts.br.test(accepted) && variants.br) ||
    (variants.gzip && accepts.gzip.test(accepted) && variants.gzip) ||
    variants.identity;
  const variant = variantFor();
  if (status === 200 && request.headers["if-none-match"]?.includes(file.etag)) {
    response.writeHead(304, [
      ...variant.headers.filter((_, at, all) => all[at - (at % 2)] !== "content-length"),
      ...more,
    ]);
    response.end();
    return;
  }
  response.writeHead(status, more.length > 0 ? [...variant.headers, ...more] : variant.headers);
  response.end(request.method === "HEAD" ? undefined : variant.body);
}
