import type { FastifyInstance } from "fastify";

/** Remembers which methods each address of `app` answers; registered before the routes. Returns the look-up. */
export function rememberMethods(app: FastifyInstance): (path: string) => string[] {
  const routes: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook("onRoute", ({ url, method }) => {
    if (url.includes("*")) return;
    const pattern = new RegExp(`^${url.replaceAll(/[.+]/g, "\\$&").replaceAll(/:\w+/g, "[^/]+")}$`);
    routes.push({ pattern, methods: [method].flat() });
  });
  return (path) => [...new Set(routes.filter((route) => route.pattern.test(path)).flatMap((route) => route.methods))];
}
