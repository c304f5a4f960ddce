import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "#server/context.ts";

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * In the demo, sends a browser that opened another name of this machine (127.0.0.1 for localhost) to the public one:
 * cookies belong to one name, so that signing in under the other could not work. True when it answered.
 */
export function redirectAlias(ctx: Context, request: IncomingMessage, response: ServerResponse): boolean {
  const { mode, publicUrl } = ctx.config;
  if (mode !== "demo" || request.method !== "GET" || request.headers["sec-fetch-dest"] !== "document") return false;
  const host = request.headers.host ?? "";
  const publicHost = publicUrl.slice(publicUrl.indexOf("//") + 2);
  if (host === publicHost || !loopback.test(host) || !loopback.test(publicHost)) return false;
  const path = request.url?.startsWith("/") ? request.url.replace(/^\/+/, "/") : "/";
  response.writeHead(307, { location: publicUrl + path, "cache-control": "no-store" });
  response.end();
  return true;
}
