import type { FastifyInstance } from "fastify";
import { Refusal } from "#server/base/refusal.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses cross-site requests that change something. Browsers send cookies with forms of other sites too, and
 * `Origin` with every such request.
 */
export function requireSameOrigin(scope: FastifyInstance, publicUrl: string): void {
  scope.addHook("onRequest", (request, _reply, done) => {
    const site = request.headers["sec-fetch-site"];
    const ours = request.headers.origin === publicUrl && (site === undefined || site === "same-origin");
    if (ours || safeMethods.has(request.method)) done();
    else done(new Refusal("cross-origin", "This request didn’t come from this site."));
  });
}
