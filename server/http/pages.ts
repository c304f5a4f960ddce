import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzipSync } from "node:zlib";
import { z } from "zod";
import { placeholderOrigin, placeholderSupportEmail } from "#content/site.ts";
import type { Config } from "#server/config.ts";

const PageFiles = z.object({ file: z.string(), fileWithSession: z.string() });

/**
 * What the build says about the pages it made: which address gets which file, and which one when the browser comes with
 * a session's cookie.
 */
const Manifest = z.object({
  pages: z.array(PageFiles.extend({ path: z.string(), checkout: z.boolean(), lessons: z.boolean() })),
  notFound: PageFiles,
  styles: z.object({ issuer: z.string().nullable() }),
  firstScript: z.string(),
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

interface Page {
  readonly plain: File;
  readonly withSession: File;
  /** Lessons play here: some of its headers change while the server runs. */
  readonly lessons: boolean;
}

export interface PageHeaders {
  /** For every answer. */
  readonly all: Readonly<Record<string, string>>;
  readonly page: Readonly<Record<string, string>>;
  readonly checkout: Readonly<Record<string, string>>;
  /** Asked for with every answer: the videos in use change while the server runs. */
  readonly lessons: () => Readonly<Record<string, string>>;
}

export interface Pages {
  /** Answers a page or an asset from memory; false when the address is neither. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** The not-found page with status 404. */
  answerNotFound(request: IncomingMessage, response: ServerResponse): void;
  /** The address of the sign-in pages' styles, when they were built. */
  readonly issuerStylesheet: string | null;
}

/** @throws when `root` holds no build. */
export async function findBuild(root: string): Promise<Build> {
  return { root, ...Manifest.parse(JSON.parse(await readFile(join(root, "pages.json"), "utf8"))) };
}

/**
 * Reads the built pages, assets and their compressed siblings into memory. A page is a few kilobytes and every visitor
 * wants the same ones: from memory they are answered several times as fast as through a file.
 * @param sessionCookie the name of the cookie by which a browser may be signed in.
 * @param site stands in the pages from here on where the build, which cannot know it, left marks.
 */
export async function loadPages(
  { root, ...manifest }: Build,
  headers: PageHeaders,
  sessionCookie: string,
  site: Pick<Config, "publicUrl" | "supportEmail" | "metaPixelId">,
): Promise<Pages> {
  const names = (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  const exists = new Set(names);

  const load = async (name: string, extra: Readonly<Record<string, string>>): Promise<File> => {
    const built = await readFile(join(root, name));
    const identity = mayHoldMarks.test(name) ? fillMarks(built, site, extra === headers.checkout) : built;
    const isChanged = identity !== built;
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
        ...(exists.has(`${name}.br`) && {
          vary: name.endsWith(".html") ? "accept-encoding, cookie" : "accept-encoding",
        }),
        ...(encoding !== "identity" && { "content-encoding": encoding }),
      };
      return { body, headers: Object.entries(own).flat() };
    };
    const variant = async (suffix: string, encoding: Encoding): Promise<() => Variant> => {
      if (isChanged && encoding !== "identity") {
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
      const made = variantOf(suffix ? await readFile(join(root, name + suffix)) : identity, encoding);
      return () => made;
    };
    return {
      etag,
      variants: {
        identity: await variant("", "identity"),
        ...(exists.has(`${name}.br`) && { br: await variant(".br", "br") }),
        ...(exists.has(`${name}.gz`) && { gzip: await variant(".gz", "gzip") }),
      },
    };
  };

  const loadPage = async (
    files: z.infer<typeof PageFiles>,
    extra: Readonly<Record<string, string>>,
    lessons: boolean,
  ): Promise<Page> => ({
    plain: await load(files.file, extra),
    withSession: await load(files.fileWithSession, extra),
    lessons,
  });

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
  const formOf = (page: Page, request: IncomingMessage) =>
    request.headers.cookie?.includes(`${sessionCookie}=`) ? page.withSession : page.plain;

  return {
    issuerStylesheet: manifest.styles.issuer,
    answer(request, response) {
      if (request.method !== "GET" && request.method !== "HEAD") return false;
      const url = request.url ?? "/";
      const query = url.indexOf("?");
      const path = query === -1 ? url : url.slice(0, query);
      const asset = assets.get(path);
      const page = pages.get(path) ?? (asset ? undefined : patterns.find(([pattern]) => pattern.test(path))?.[1]);
      const file = page ? formOf(page, request) : asset;
      if (!file) return false;
      send(request, response, file, 200, page?.lessons ? Object.entries(headers.lessons()).flat() : []);
      return true;
    },
    answerNotFound: (request, response) => send(request, response, formOf(notFound, request), 404, []),
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
