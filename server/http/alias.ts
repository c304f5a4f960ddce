import type { FastifyInstance } from "fastify";

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * Redirects other names of this machine to the public address: cookies belong to one name, so signing in elsewhere
 * would fail.
 */
export function redirectAliases(app: FastifyInstance, publicUrl: string): void {
  const publicHost = publicUrl.slice(publicUrl.indexOf("//") + 2);
  if (!loopback.test(publicHost)) return;
  app.addHook("onRequest", (request, reply, done) => {
    const { host = "", "sec-fetch-dest": destination } = request.headers;
    if (request.method !== "GET" || destination !== "document" || host === publicHost || !loopback.test(host)) {
      return done();
    }
    const path = request.url.startsWith("/") ? request.url.replace(/^\/+/, "/") : "/";
    reply.header("cache-control", "no-store").redirect(publicUrl + path, 307);
  });
}
