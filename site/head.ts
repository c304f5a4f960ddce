import { placeholderOrigin, socialImage } from "#content/site.ts";
import { academy, named } from "#ui/academy.ts";

/** The URL and the alt text of the image that social networks show for the academy. */
export function socialImageNow(): { address: string; alt: string } {
  const { name, socialImage: own } = academy();
  return { address: placeholderOrigin + (own ?? socialImage.path), alt: own ? name : named(socialImage.alt) };
}

/** The meta elements for previews of links to the page. */
export function linkPreviewOf(page: { title: string; description: string; address: string }): object[] {
  const image = socialImageNow();
  const properties = {
    "og:type": "website",
    "og:site_name": academy().name,
    "og:title": page.title,
    "og:description": page.description,
    "og:url": page.address,
    "og:image": image.address,
    "og:image:width": socialImage.width,
    "og:image:height": socialImage.height,
    "og:image:alt": image.alt,
  };
  return [
    ...Object.entries(properties).map(([property, content]) => ({ property, content })),
    // Twitter reads the other values from the elements above.
    { name: "twitter:card", content: "summary_large_image" },
  ];
}
