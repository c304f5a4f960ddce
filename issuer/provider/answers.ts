import { createHash } from "node:crypto";
import type { KoaContextWithOIDC, Provider } from "oidc-provider";
import { page, pageHeaders, type Site } from "../pages/frame.ts";
import { expired, problemPage } from "../pages/problem.ts";

/** Answers with a page of ours, in the library's own context. */
export function show(
  ctx: Pick<KoaContextWithOIDC, "set" | "type" | "body">,
  site: Site,
  content: Parameters<typeof page>[1],
): void {
  ctx.set(pageHeaders(site));
  ctx.type = "html";
  ctx.body = page(site, content);
}

/** What a person reads about a protocol's error. */
export function errorPage(site: Site, status: number, error: string, description = "") {
  if (status === 404) return problemPage(site, "Page not found", "There is nothing at this address.");
  if (/session|expired/.test(description)) return problemPage(site, expired.title, expired.sentence);
  const detail = [error, description].filter(Boolean).join(": ");
  return problemPage(site, "Sign-in failed", "The request cannot be answered. Go back and start again.", detail);
}

/** Gives the library's answers what ours have: no reader from other sites, a page for people, a policy. */
export function finishAnswers(site: Site): Parameters<Provider["use"]>[0] {
  return async (ctx, next) => {
    await next();
    // It would answer the scripts of every site. Ours is the one server that asks, and no script of ours does.
    for (const name of Object.keys(ctx.response.headers)) if (name.startsWith("access-control-")) ctx.remove(name);
    if (ctx.status === 404 && !ctx.body && ctx.accepts("html")) {
      show(ctx, site, errorPage(site, 404, "not_found"));
      // Koa takes a body for success.
      ctx.status = 404;
    }
    // The library's own page that passes a sign-out on by itself: its one script may run, and nothing else.
    if (ctx.type === "text/html" && typeof ctx.body === "string" && !ctx.response.get("content-security-policy")) {
      const [, script = ""] = /<script>([\s\S]*?)<\/script>/.exec(ctx.body) ?? [];
      ctx.set(pageHeaders(site, `'sha256-${createHash("sha256").update(script).digest("base64")}'`));
    }
  };
}
