import { builtInSettings, placeholderOrigin, socialImage } from "#content/site.ts";
import { academy, named } from "#ui/academy.ts";

/** The built one has the built-in name written on it: an academy of another name shows none rather than that. */
export function hasSocialImage(): boolean {
  return academy().name === builtInSettings.name;
}

/** The meta elements by which a link to the page is shown elsewhere. */
export function linkPreviewOf(page: { title: string; description: string; address: string }): object[] {
  const properties = {
    "og:type": "website",
    "og:site_name": academy().name,
    "og:title": page.title,
    "og:description": page.description,
    "og:url": page.address,
    ...(hasSocialImage() && {
      "og:image": placeholderOrigin + socialImage.path,
      "og:image:width": socialImage.width,
      "og:image:height": socialImage.height,
      "og:image:alt": named(socialImage.alt),
    }),
  };
  return [
    ...Object.entries(properties).map(([property, content]) => ({ property, content })),
    // The rest of what it shows it takes from the above.
    { name: "twitter:card", content: hasSocialImage() ? "summary_large_image" : "summary" },
  ];
}
