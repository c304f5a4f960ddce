import type { FastifyInstance } from "fastify";
import { type Asking, currentSettings } from "#server/settings/settings.ts";

/** What browsers ask for who keep a page as an application. */
export function webManifestRoute(scope: FastifyInstance, { db }: Asking): void {
  scope.get("/site.webmanifest", { schema: { hide: true } }, async (_request, reply) => {
    const { name } = await currentSettings(db);
    return reply
      .type("application/manifest+json")
      .header("cache-control", "no-cache")
      .send(
        JSON.stringify({
          name,
          short_name: name,
          start_url: "/",
          display: "browser",
          background_color: "#f6f4ee",
          theme_color: "#f6f4ee",
          icons: [
            { src: "/favicon.svg", type: "image/svg+xml", sizes: "any" },
            { src: "/apple-touch-icon.png", type: "image/png", sizes: "180x180" },
          ],
        }),
      );
  });
}
