/** Who we are. */
export const siteName = "Academy";

/** What a link to us shows where it is shared. */
export const socialImage = {
  path: "/social.png",
  width: 1200,
  height: 630,
  alt: "A yellow price tag beside the words: Every price tag is a question. Academy, retail arbitrage taught from the shelf up.",
} as const;

/**
 * Stand in the built pages for what is not known before the server starts: PUBLIC_URL wherever an absolute address is
 * needed, and SUPPORT_EMAIL. The server puts these in their places. The top-level domain is reserved, so a forgotten one
 * leads nowhere.
 */
export const placeholderOrigin = "https://academy.invalid";
export const placeholderSupportEmail = "support@academy.invalid";

export const footer = {
  tagline: "Read the tag. Do the sum. Ship the box.",
  /** `{year}` is replaced by the current year. */
  copyright: "© {year} Academy. All rights reserved.",
} as const;
