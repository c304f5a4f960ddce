import { createHash } from "node:crypto";
import type { APIContext, MiddlewareNext } from "astro";
import { matchRoutes } from "react-router";
import { type Page, pages } from "#app/routes.ts";
import { placeholderOrigin, placeholderSupportEmail } from "#content/site.ts";
import { renderFor } from "./academy-of-page.ts";
import { fillIn } from "./copy.ts";

/** Vite's React plugin requires this before any component, for hot reloading. */
const refresh = `<script type="module">import { injectIntoGlobalHook } from "/@react-refresh";injectIntoGlobalHook(window);window.$RefreshReg$ = () => {};window.$RefreshSig$ = () => (type) => type;</script>`;

/** The app's style sheet and script, unbundled. */
const sources = `<link rel="stylesheet" href="/ui/styles/theme.css">${refresh}<script type="module" src="/app/browser.tsx"></script>`;

/**
 * Renders a page like the academy: with its published content, attributes, status and headers. The content security
 * policy allows the inline scripts of the unbundled page.
 */
export async function answerAsAcademy({ locals, request, url }: APIContext, next: MiddlewareNext): Promise<Response> {
  const ask = (path: string) =>
    fetch(`${url.origin}/@academy${path}`, { headers: { cookie: request.headers.get("cookie") ?? "" } });
  const built = await askAboutPage(url.pathname + url.search, ask).catch(() => null);
  if (!built || built.status >= 500) {
    return new Response("The academy is starting.", { status: 503, headers: { refresh: "1" } });
  }
  const read = async (path: string) => (await ask(path)).json();
  const paths = ["academy", "course-pricing", "offer", "catalogue", "claims", "communities", "copy"];
  const [academy, plans, offer, catalogue, claims, communities, copy] = await Promise.all(
    paths.map((path) => read(`/api/${path}`)),
  );
  const builtHtml = await built.text();
  const [documentTag = ""] = /<html[^>]*>/.exec(builtHtml) ?? [];
  locals.isPreview = false;
  const page = findPage(url.pathname);
  locals.shell = page ? { head: sources, checkout: page.checkout ?? false, lessons: page.lessons ?? false } : null;

  const { response, text } = await renderFor(academy, async () => {
    const words = fillIn(copy, { catalogue, plans });
    locals.facts = {
      academy,
      communities,
      plans,
      offer,
      catalogue,
      firstCaptions: [],
      changes: [],
      claims,
      copy: words,
    };
    const response = await next();
    return { response, text: await response.text() };
  });
  const [, support = ""] = / data-support="([^"]*)"/.exec(documentTag) ?? [];
  const html = text
    .replace(/<html[^>]*>/, () => documentTag)
    .replaceAll(placeholderOrigin, url.origin)
    .replaceAll(placeholderSupportEmail, support);
  const headers = new Headers(response.headers);
  for (const [name, value] of built.headers) {
    if (/^(content-security-policy|.*-policy|x-content-type-options)$/.test(name)) headers.set(name, value);
  }
  headers.set("content-security-policy", policyFor(html, built.headers.get("content-security-policy") ?? ""));
  return new Response(html, { status: response.status, headers });
}

/** For an app page that the build does not know yet, requests the facts of another page of the same kind. */
async function askAboutPage(path: string, ask: (path: string) => Promise<Response>): Promise<Response> {
  const built = await ask(path);
  const page = findPage(path);
  if (built.status !== 404 || !page) return built;
  const isOfItsKind = (other: Page) => other.checkout === page.checkout && other.lessons === page.lessons;
  return ask(pages.find((other) => !other.path.includes(":") && isOfItsKind(other))?.path ?? path);
}

function findPage(path: string): Page | undefined {
  return matchRoutes([...pages], path)?.[0]?.route;
}

function policyFor(html: string, policy: string): string {
  const scripts = [...html.matchAll(/<script(?![^>]*\ssrc=)(?![^>]*application\/)[^>]*>(.*?)<\/script>/gs)];
  const hashes = scripts.map(([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`);
  return policy
    .replaceAll(/ 'sha256-[^']*'/g, "")
    .replace("script-src 'self'", ["script-src 'self'", ...hashes].join(" "));
}
