import { placeholderOrigin, socialImage } from "#content/site.ts";
import { academy, named } from "#ui/academy.ts";

/** The address of the image that stands for the academy, and what is on it. */
export function socialImageNow(): { address: string; alt: string } {
  const { name, socialImage: own } = academy();
  return { address: placeholderOrigin + (own ?? socialImage.path), alt: own ? name : named(socialImage.alt) };
}

/** The meta elements by which a link to the page is shown elsewhere. */
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
    // The rest of what it shows it takes from the above.
    { name: "twitter:card", content: "summary_large_image" },
  ];
}
