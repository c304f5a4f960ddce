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
  about: "Academy teaches retail arbitrage to people who have never sold anything online.",
  /** `{year}` is replaced by the current year. */
  copyright: "© {year} Academy. All rights reserved.",
  independence:
    "Academy is an independent training company. It is not affiliated with, endorsed by or sponsored by Amazon. Amazon and FBA are trademarks of Amazon.com, Inc. or its affiliates.",
} as const;

export const resultsDisclaimer = {
  title: "About results",
  text: "This is training and not a promise of income. What you earn depends on your time, your capital, the stores near you, marketplace rules and prices that change every day. Examples use round numbers to show a method. Testimonials describe one person's experience. You can lose money buying inventory; spend only what you can afford to lose, and ask a qualified adviser about tax and legal questions.",
} as const;
