import { createHash } from "node:crypto";
import type { KoaContextWithOIDC, Provider } from "oidc-provider";
import { page, pageHeaders, type Site } from "../pages/frame.ts";
import { expired, problemPage } from "../pages/problem.ts";

/** Replies with a page of ours, in the library's context. */
export function show(
  ctx: Pick<KoaContextWithOIDC, "set" | "type" | "body">,
  site: Site,
  content: Parameters<typeof page>[1],
): void {
  ctx.set(pageHeaders(site));
  ctx.type = "html";
  ctx.body = page(site, content);
}

/** The page for an error of the protocol. */
export function errorPage(site: Site, status: number, error: string, description = "") {
  if (status === 404) return problemPage(site, "Page not found", "There's nothing at this address.");
  if (/session|expired/.test(description)) return problemPage(site, expired.title, expired.sentence);
  const detail = [error, description].filter(Boolean).join(": ");
  return problemPage(site, "Sign-in failed", "We couldn't complete your sign-in. Go back and start again.", detail);
}

/**
 * Makes the library's replies like ours: no CORS headers, an HTML page where nothing was found, a Content-Security-
 * Policy.
 */
export function finishAnswers(site: Site): Parameters<Provider["use"]>[0] {
  return async (ctx, next) => {
    await next();
    // The library allows scripts of every origin, but only our own server calls it, and no script does.
    for (const name of Object.keys(ctx.response.headers)) if (name.startsWith("access-control-")) ctx.remove(name);
    if (ctx.status === 404 && !ctx.body && ctx.accepts("html")) {
      show(ctx, site, errorPage(site, 404, "not_found"));
      // Koa sets 200 when a body is set.
      ctx.status = 404;
    }
    // The library's page that submits a sign-out by itself: allows its one script, and no other.
    if (ctx.type === "text/html" && typeof ctx.body === "string" && !ctx.response.get("content-security-policy")) {
      const [, script = ""] = /<script>([\s\S]*?)<\/script>/.exec(ctx.body) ?? [];
      ctx.set(pageHeaders(site, `'sha256-${createHash("sha256").update(script).digest("base64")}'`));
    }
  };
}
