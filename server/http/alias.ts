import type { FastifyInstance } from "fastify";

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * Sends a browser that opened another name of this machine (127.0.0.1 for localhost) to the public one: cookies belong
 * to one name, so that signing in under the other could not work.
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
