import { placeholderOrigin, siteName, socialImage } from "#content/site.ts";
import type { PageFacts } from "#contract/page-facts.ts";
import { structuredData } from "./structured-data.ts";

/** What every page says to the browser around it. */
const forAll = [
  '<link rel="manifest" href="/site.webmanifest">',
  // The canvas of the two colour schemes, as in app/ui/styles/tokens.css.
  '<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f6f4ee">',
  '<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#12110e">',
].join("");

/**
 * What belongs in a page's head besides its own title and description: for pages that are the same for everyone their
 * address and what a link to them shows; for the landing page its structured data.
 * @param rendered the page's title and description, as HTML.
 */
export function headOf(path: string, isIndexed: boolean, rendered: string, facts: PageFacts): string {
  if (!isIndexed) return forAll;
  const title = escaped(/<title>([^<]*)<\/title>/, rendered, path);
  const description = escaped(/<meta name="description" content="([^"]*)"/, rendered, path);
  const address = placeholderOrigin + path;
  const shared = {
    "og:type": "website",
    "og:site_name": siteName,
    "og:title": title,
    "og:description": description,
    "og:url": address,
    "og:image": placeholderOrigin + socialImage.path,
    "og:image:width": socialImage.width,
    "og:image:height": socialImage.height,
    "og:image:alt": socialImage.alt,
  };
  return [
    forAll,
    `<link rel="canonical" href="${address}">`,
    ...Object.entries(shared).map(([property, content]) => `<meta property="${property}" content="${content}">`),
    // The rest of what it shows it takes from the above.
    '<meta name="twitter:card" content="summary_large_image">',
    path === "/" ? dataBlock(structuredData(facts)) : "",
  ].join("");
}

/** For search engines: every page that is the same for everyone. */
export function sitemapOf(paths: readonly string[]): string {
  const entries = paths.map((path) => `  <url><loc>${placeholderOrigin}${path}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join("\n")}
</urlset>
`;
}

/** For crawlers: nothing that answers one person alone. */
export function robotsOf(hiddenPaths: readonly string[]): string {
  const hidden = ["/api/", "/issuer/", "/sandbox", ...hiddenPaths].map(
    (path) => `Disallow: ${path.replace(/\{.*/, "")}`,
  );
  return `User-agent: *
${hidden.join("\n")}

Sitemap: ${placeholderOrigin}/sitemap.xml
`;
}

/** Data and not a script: browsers do not run it, and the content security policy lets it be. */
function dataBlock(data: object): string {
  return `<script type="application/ld+json">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>`;
}

/** A part of the rendered head, where it is escaped already. */
function escaped(pattern: RegExp, rendered: string, path: string): string {
  const found = pattern.exec(rendered)?.[1];
  if (!found) throw new Error(`${path} has no title or no description`);
  return found;
}
