import type { FastifyInstance } from "fastify";
import { pictureAddress, pictureSize } from "#contract/branding.ts";
import { type Asking, brandingOf, currentSettings } from "#server/settings/settings.ts";

/** For browsers that install a page as an application. */
export function webManifestRoute(scope: FastifyInstance, { db }: Asking): void {
  scope.get("/site.webmanifest", { schema: { hide: true } }, async (_request, reply) => {
    const settings = await currentSettings(db);
    const { name, icon } = settings;
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
          icons: icon
            ? [{ src: pictureAddress(icon), type: "image/png", sizes: sizesOf(icon) }]
            : [{ src: brandingOf(settings).icon, type: "image/svg+xml", sizes: "any" }, ...touchIcon],
        }),
      );
  });
}

const touchIcon = [{ src: "/apple-touch-icon.png", type: "image/png", sizes: "180x180" }];

function sizesOf(icon: string): string {
  const { width, height } = pictureSize(icon);
  return `${width}x${height}`;
}
