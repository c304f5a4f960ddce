import type { FastifyInstance, FastifyRequest } from "fastify";
import { Refusal } from "#server/base/refusal.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses cross-site requests that change something. Browsers send cookies with forms of other sites too, and
 * `Origin` with every such request.
 * @param hasNoCookie says which requests carry a secret that no browser adds by itself
 */
export function requireSameOrigin(
  scope: FastifyInstance,
  publicUrl: string,
  hasNoCookie: (request: FastifyRequest) => boolean = () => false,
): void {
  scope.addHook("onRequest", (request, _reply, done) => {
    const site = request.headers["sec-fetch-site"];
    const ours = request.headers.origin === publicUrl && (site === undefined || site === "same-origin");
    if (ours || safeMethods.has(request.method) || hasNoCookie(request)) done();
    else done(new Refusal("cross-origin", "This request didn’t come from this site."));
  });
}
