import type { FastifyInstance } from "fastify";
import { Refusal } from "#server/base/refusal.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** The cookie alone proves nothing about who wrote a request; browsers send `Origin` with all that change something. */
export function requireSameOrigin(scope: FastifyInstance, publicUrl: string): void {
  scope.addHook("onRequest", (request, _reply, done) => {
    const site = request.headers["sec-fetch-site"];
    const ours = request.headers.origin === publicUrl && (site === undefined || site === "same-origin");
    if (ours || safeMethods.has(request.method)) done();
    else done(new Refusal("cross-origin", "This request did not come from a page of this site."));
  });
}
