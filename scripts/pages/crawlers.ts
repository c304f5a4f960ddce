import { placeholderOrigin } from "#content/site.ts";

/** For search engines: all pages without personal content. */
export function sitemapOf(paths: readonly string[]): string {
  const entries = paths.map((path) => `  <url><loc>${placeholderOrigin}${path}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join("\n")}
</urlset>
`;
}

/** For crawlers: excludes pages with personal content. */
export function robotsOf(hiddenPaths: readonly string[]): string {
  const hidden = ["/api/", "/issuer/", "/sandbox", ...hiddenPaths].map(
    (path) => `Disallow: ${path.replace(/\{.*/, "")}`,
  );
  // The picture of a shared certificate, for the sites that show it.
  return `User-agent: *
Allow: /api/certificates/*/picture
${hidden.join("\n")}

Sitemap: ${placeholderOrigin}/sitemap.xml
`;
}
