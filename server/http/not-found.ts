import type { FastifyInstance } from "fastify";
import { nothingHere, Refusal } from "#server/base/refusal.ts";
import type { Pages } from "./pages/pages.ts";
import { sendProblem } from "./problems.ts";

/** Call it before the routes. */
export function answerNotFound(app: FastifyInstance, pages: Pick<Pages, "sendNotFound">): void {
  const methodsOf = rememberMethods(app);
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "/";
    const allowed = methodsOf(path);
    if (allowed.length > 0) {
      reply.header("allow", allowed.join(", "));
      throw new Refusal("method-not-allowed", `This address does not answer ${request.method}.`);
    }
    const isForPages = request.method === "GET" || request.method === "HEAD";
    if (isForPages && !/^\/(api|assets)(\/|$)/.test(path)) return pages.sendNotFound(request, reply);
    return sendProblem(request, reply, nothingHere());
  });
}

/** No address of ours is longer, and trying all of them on one of kilobytes would take half a second. */
const longestPath = 500;

function rememberMethods(app: FastifyInstance): (path: string) => string[] {
  // At most one entry for each route, about 300 of 500 bytes: 150 kB.
  const routes: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook("onRoute", ({ url, method }) => {
    if (url.includes("*")) return;
    const pattern = new RegExp(`^${url.replaceAll(/[.+]/g, "\\$&").replaceAll(/:\w+/g, "[^/]+")}$`);
    routes.push({ pattern, methods: [method].flat() });
  });
  return (path) => {
    if (path.length > longestPath) return [];
    return [...new Set(routes.filter((route) => route.pattern.test(path)).flatMap((route) => route.methods))];
  };
}
