import { placeholderOrigin, siteName, socialImage } from "#content/site.ts";

/** The meta elements by which a link to the page is shown elsewhere. */
export function linkPreviewOf(page: { title: string; description: string; address: string }): object[] {
  const properties = {
    "og:type": "website",
    "og:site_name": siteName,
    "og:title": page.title,
    "og:description": page.description,
    "og:url": page.address,
    "og:image": placeholderOrigin + socialImage.path,
    "og:image:width": socialImage.width,
    "og:image:height": socialImage.height,
    "og:image:alt": socialImage.alt,
  };
  return [
    ...Object.entries(properties).map(([property, content]) => ({ property, content })),
    // The rest of what it shows it takes from the above.
    { name: "twitter:card", content: "summary_large_image" },
  ];
}
